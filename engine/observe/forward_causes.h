// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"

#include <set>
#include <vector>

namespace binade::observe {

/// Which values of a traced forward are not finite by mistake, and why.
class ForwardCauses {
 public:
  explicit ForwardCauses(const Trace& trace);

  /// Not finite, and not only by infinities that were asked for.
  bool is_bad(int value) const { return state_[index(value)] == State::kBad; }
  bool is_intended(int value) const { return state_[index(value)] == State::kIntended; }

  /// Every call that made something not finite of finite arguments, unasked, whether it reached anything or not.
  const std::vector<Cause>& roots() const { return roots_; }
  /// The values that a call made or wrote.
  const std::vector<int>& made_by(int call) const { return made_[index(call)]; }

  /// Adds the causes of a bad value to `found`.
  void collect(int value, std::set<int>& seen, std::vector<Cause>& found) const;
  /// The calls from what `root` says to `value`, which it reaches.
  std::vector<CauseLink> path(const Cause& root, int value) const;

 private:
  enum class State : std::uint8_t { kFine, kIntended, kBad };
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  State state_from_outside(int value) const;
  void judge(int call);
  /// Whether a value, memory that a call wrote a part of, holds more that is not finite than the call wrote.
  bool holds_older(int value) const;
  bool counts(const TracedCall& call, const TracedUse& use) const;
  bool adds_infinities(const TracedCall& call) const;
  /// The same of NaN too, as formats without infinity make it.
  bool adds_non_finite(const TracedCall& call) const;
  /// Infinities below 0 of the batch that are no mask: an op has multiplied them, or made something `invalid` of them
  /// that is none of a mask's; null: the call multiplies.
  const TracedUse* data_to_blame(const TracedCall& call, const Cause* invalid) const;
  void blame_data(const TracedUse& data, Cause& cause) const;
  Cause cause_of_source(int value) const;

  const Trace& trace_;
  std::vector<State> state_;           ///< by value
  std::vector<int> root_of_call_;      ///< index in roots_, or -1
  std::vector<std::vector<int>> bad_;  ///< by call: the bad values among its arguments
  std::vector<Cause> roots_;
  std::vector<std::vector<int>> made_;  ///< by call: the values it made or wrote
  std::vector<int> first_use_;          ///< by value: the first call that takes it, or -1
};

}  // namespace binade::observe
