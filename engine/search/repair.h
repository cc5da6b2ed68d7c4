// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/needed_set.h"
#include "engine/search/prover.h"

#include <string>

namespace binade::search {

/// Finds the smallest set of op calls in a higher format with which a failing policy holds.
class Repair {
 public:
  /// `prover` must outlive the object; its candidates are in the order of their rank.
  explicit Repair(Prover& prover);
  Repair(const Repair&) = delete;
  Repair& operator=(const Repair&) = delete;

  /// Tries until the set is known. Throws SearchEnd as Prover::prove().
  void run();
  /// What was found so far, as a sentence.
  std::string result() const;

 private:
  bool holds(const Changes& raised);

  Prover& prover_;
  NeededSet raised_;
};

}  // namespace binade::search
