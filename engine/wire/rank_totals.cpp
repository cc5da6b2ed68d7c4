// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/rank_totals.h"

#include <algorithm>
#include <cmath>

namespace binade::wire {

namespace {

constexpr double kNoticeable = 0.05;  // of a step; differences below it come and go on an idle machine

}  // namespace

void RankTotals::add(std::span<const RankFacts> ranks, double seconds) {
  if (ranks.empty() || (!ranks_.empty() && ranks_.size() != ranks.size())) return;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].rank != static_cast<int>(i)) return;
  }
  ranks_.resize(ranks.size());
  ++steps_;
  seconds_ += seconds;
  const auto [fastest, slowest] = std::ranges::minmax_element(ranks, {}, &RankFacts::seconds);
  const auto slow = std::ranges::count(ranks, slowest->seconds, &RankFacts::seconds);
  for (const RankFacts& facts : ranks) {
    RankTotal& total = ranks_[static_cast<std::size_t>(facts.rank)];
    total.busy += facts.seconds;
    total.wait += facts.waited;
    total.behind += facts.seconds - fastest->seconds;
    if (slow == 1 && facts.rank == slowest->rank) ++total.last;
    if (facts.found_inf) ++total.overflowed;
    if (std::isnan(facts.tensor)) continue;
    total.tensor += facts.tensor;
    ++total.measured;
  }
}

std::optional<std::size_t> RankTotals::straggler() const {
  if (steps_ < kFewestSteps || ranks_.size() < 2) return std::nullopt;
  const auto slowest = std::ranges::max_element(ranks_, {}, &RankTotal::last);
  // By more than two standard deviations, if each of two ranks were the last in half of the steps by chance.
  const bool often = static_cast<double>(2 * slowest->last - steps_) > 2 * std::sqrt(static_cast<double>(steps_));
  const double least = std::ranges::min_element(ranks_, {}, &RankTotal::busy)->busy;
  const bool far = slowest->busy - least >= kNoticeable * seconds_;
  return often && far ? std::optional(static_cast<std::size_t>(slowest - ranks_.begin())) : std::nullopt;
}

}  // namespace binade::wire
