// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace binade::wire {

/// Sums of one rank over the steps that RankTotals received.
struct RankTotal {
  double busy = 0;              ///< seconds of its own forward and backward
  double wait = 0;              ///< seconds in which it waited for other ranks
  double behind = 0;            ///< seconds for which it was busy longer than the fastest rank of the same step
  std::int64_t last = 0;        ///< steps in which it was busy longer than every other rank
  std::int64_t overflowed = 0;  ///< steps with a non-finite gradient of its own batch
  double tensor = 0;            ///< sum of the percentages of tensor-core use that were measured
  std::int64_t measured = 0;    ///< steps with such a percentage
};

/// Which rank the others wait for. A step's ranks start together and end together, so the rank that is busy longest
/// decides the time of the step. Steps without facts of all ranks are ignored.
class RankTotals {
 public:
  /// With fewer steps, straggler() names none.
  static constexpr std::int64_t kFewestSteps = 10;

  void add(const StepRecord& step) { add(step.ranks, step.seconds); }
  /// `seconds`: of the whole step.
  void add(std::span<const RankFacts> ranks, double seconds);

  /// By rank; empty before the first step with times of ranks.
  const std::vector<RankTotal>& ranks() const { return ranks_; }
  std::int64_t steps() const { return steps_; }
  /// Mean seconds of a whole step; 0 before the first one.
  double step_seconds() const { return steps_ == 0 ? 0 : seconds_ / static_cast<double>(steps_); }

  /// The rank that the others wait for; nullopt if there is none, or before kFewestSteps steps. It was the last one in
  /// more than half of the steps plus two standard deviations of chance (the square root of the number of steps), and
  /// on average busy for at least 5 % of a step longer than the fastest rank.
  std::optional<std::size_t> straggler() const;

 private:
  std::vector<RankTotal> ranks_;
  std::int64_t steps_ = 0;
  double seconds_ = 0;
};

}  // namespace binade::wire
