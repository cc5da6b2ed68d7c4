// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/prover.h"

#include <string>

namespace binade::search {

/// Finds the smallest set of op calls in a higher format with which a failing policy holds. Smallest: no op call can be
/// left out of it.
///
/// The method is adaptive group testing (Dorfman, 1943; Hwang's generalized binary splitting, 1972). Each candidate is
/// needed with a probability that falls with its rank. A try leaves out a pool of candidates that is clean with a
/// probability near 1/2, so each answer gives about one bit. If it holds, all of the pool are superfluous. If it fails,
/// halving the pool finds one that is needed. This assumes that a policy that holds still holds with more op calls in a
/// higher format. If that is wrong, the search ends as well, with a set that was proven but may not be the smallest.
class Repair {
 public:
  /// `prover` must outlive the object; its candidates are in the order of their rank.
  explicit Repair(Prover& prover);

  /// Tries until the set is known. Throws SearchEnd as Prover::prove().
  void run();
  /// What was found so far, as a sentence.
  std::string result() const;

 private:
  bool holds(const Changes& raised, const std::string& sentence);
  bool holds_without(const Changes& pool);
  /// Removes candidates that are superfluous.
  void leave_out(const Changes& pool);
  Changes unknown() const;
  /// Candidates at the end of `of` whose probability to be all superfluous is nearest to 1/2; if `one_is_needed`, given
  /// that at least one of `of` is needed, and not all of `of`.
  Changes pool(const Changes& of, bool one_is_needed) const;
  double probability(std::size_t candidate) const;

  Prover& prover_;
  Changes raised_;                ///< holds, as far as is known; what is not in it is superfluous
  Changes needed_;                ///< of `raised_`: without any of these it fails
  std::vector<Changes> failing_;  ///< sets that failed
  bool proven_ = false;           ///< some set held
  bool minimal_ = false;
  bool hopeless_ = false;  ///< all candidates together fail
};

}  // namespace binade::search
