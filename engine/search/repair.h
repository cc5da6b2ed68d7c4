// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/belief.h"
#include "engine/search/prover.h"

#include <string>
#include <vector>

namespace binade::search {

/// Finds the smallest set of op calls in a higher format with which a failing policy holds. Smallest: no op call can be
/// left out of it.
///
/// The method is adaptive group testing (Dorfman, 1943; Hwang, 1972). A try leaves out a pool of candidates that is
/// superfluous as a whole with a probability near 1/2, so each answer gives about one bit. If the policy still holds,
/// the pool is superfluous. If it fails, the pool has a candidate that is needed, and smaller pools of it find which.
/// This assumes that a policy that holds still holds with more op calls in a higher format. If that is wrong, the
/// search ends as well, with a set that was proven but may not be the smallest.
class Repair {
 public:
  /// `prover` must outlive the object; its candidates are in the order of their rank.
  explicit Repair(Prover& prover);

  /// Tries until the set is known. Throws SearchEnd as Prover::prove().
  void run();
  /// What was found so far, as a sentence.
  std::string result() const;

 private:
  bool holds(const Changes& raised);

  Prover& prover_;
  Belief belief_;
  Known known_;
  Changes raised_;                ///< holds, as far as is known; the others are superfluous
  std::vector<Changes> failing_;  ///< sets that failed, and the empty one: the base
  bool proven_ = false;           ///< `raised_` was proven
  bool minimal_ = false;
  bool hopeless_ = false;  ///< all candidates together fail
};

}  // namespace binade::search
