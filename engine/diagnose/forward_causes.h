// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"

#include <set>
#include <vector>

namespace binade::diagnose {

/// Determines which values of a traced forward are non-finite by mistake, and why.
class ForwardCauses {
 public:
  explicit ForwardCauses(const Trace& trace);

  /// Non-finite for another reason than requested infinities.
  bool is_bad(int value) const { return state_[index(value)] == State::kBad; }
  bool is_intended(int value) const { return state_[index(value)] == State::kIntended; }

  /// Returns every call that produced an unrequested non-finite value from finite arguments, whether or not it reached
  /// the loss.
  const std::vector<Cause>& roots() const { return roots_; }
  /// Returns the values that a call produced or wrote.
  const std::vector<int>& made_by(int call) const { return made_[index(call)]; }

  /// Adds the first causes of a bad value to `found`. `seen` holds the values visited already.
  void collect(int value, std::set<int>& seen, std::vector<Cause>& found) const;
  /// Returns the shortest path of calls from `root` to `value`; empty if `root` does not reach it.
  std::vector<CauseLink> path(const Cause& root, int value) const;

 private:
  enum class State : std::uint8_t { kFine, kIntended, kBad };
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  State state_from_outside(int value) const;
  void judge(int call);
  /// Returns whether a value, in memory of which a call wrote only a part, has non-finite elements from before.
  bool holds_older(int value) const;
  bool counts(const TracedCall& call, const TracedUse& use) const;
  bool adds_infinities(const TracedCall& call) const;
  /// As adds_infinities, including NaN, which formats without infinity produce instead.
  bool adds_non_finite(const TracedCall& call) const;
  /// Returns the batch's infinities if they cannot be a mask: an op multiplied them, or `invalid` shows an operation
  /// that is not one of a mask's. `invalid` is null when asked about multiplication. Null: the data is not to blame.
  const TracedUse* data_to_blame(const TracedCall& call, const Cause* invalid) const;
  void blame_data(const TracedUse& data, Cause& cause) const;
  Cause cause_of_source(int value) const;

  const Trace& trace_;
  std::vector<State> state_;           ///< by value
  std::vector<int> root_of_call_;      ///< index in roots_, or -1
  std::vector<std::vector<int>> bad_;  ///< by call: the bad values among its arguments
  std::vector<Cause> roots_;
  std::vector<std::vector<int>> made_;  ///< by call: the values it produced or wrote
  std::vector<int> first_use_;          ///< by value: the first call that uses it, or -1
};

}  // namespace binade::diagnose
