// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/groups.h"
#include "engine/search/prover.h"

#include <string>

namespace binade::search {

/// Searches for the changes that save most and hold. Keeps one set of accepted changes and grows it by groups. If a
/// group harms the loss, the fewest members are found without which it does not. If it saves nothing, it is split, down
/// to single op calls. Every accepted set was proven as a whole, so changes that are good alone are known to be good
/// together.
class SaveSearch {
 public:
  /// References must outlive the object.
  SaveSearch(const Order& order, const StepEvidence& evidence, Prover& prover);

  /// Tries all groups. Throws SearchEnd as Prover::prove().
  void run();
  /// What was found so far, as a sentence. If all groups were tried, one before it says so, with the reason if nothing
  /// was found.
  std::string result() const;

 private:
  void settle(const Group& group);
  /// The members of a group that harms the loss as a whole, without those that do.
  Group without_harm(const Group& group);
  /// Proves `base` with a group, and accepts it if it is the best so far. Returns whether it holds.
  bool holds(const Changes& base, const Group& group);
  /// `base` with `members`, which replace changes of the same op calls.
  Changes with(const Changes& base, const Changes& members) const;
  double estimate(const Changes& members) const;
  /// `: all but 3 op calls in float32` if the accepted changes only raise formats, and leave hardly a low one; else
  /// empty.
  std::string float32_text() const;

  const Order& order_;
  const StepEvidence& evidence_;
  Prover& prover_;
  bool ended_ = false;  ///< all groups were tried
  Changes accepted_;
  double saved_ = 0;   ///< by the accepted changes, as measured
  Changes no_saving_;  ///< single changes that held and did not save
  double least_saving_ = 0;
  double noise_ = 0;  ///< the largest of measured costs so far
};

}  // namespace binade::search
