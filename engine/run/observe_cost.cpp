// SPDX-License-Identifier: Apache-2.0
#include "engine/run/observe_cost.h"

#include <algorithm>
#include <cmath>

namespace binade::run {

namespace {

using observe::Level;

constexpr std::size_t kMostRatios = 255;
constexpr auto kPause = std::chrono::seconds(2);

struct Median {
  double low = 0, middle = 0, high = 0;
};

/// Returns the median and the order statistics of its 95 % confidence interval; needs at least CostMeter::kFewestRatios
/// values.
Median median_of(const std::deque<double>& values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  const auto below = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - 0.98 * std::sqrt(n))));
  const std::size_t half = sorted.size() / 2;
  const double middle = sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  return {sorted[below], middle, sorted[sorted.size() - 1 - below]};
}

}  // namespace

void CostMeter::begin(bool leaves_bare) {
  *this = CostMeter();
  leaves_bare_ = leaves_bare;
}

bool CostMeter::wants_bare() const {
  const bool first = left_bare_ < static_cast<std::int64_t>(kFewestRatios) + 2;
  return leaves_bare_ && in_a_row_ >= (first ? kFirstRows : kRows);
}

void CostMeter::stepped(const Step& step) {
  const bool bare = step.level == Level::kOff;
  if (bare && in_a_row_ > 1) ++left_bare_;
  in_a_row_ = bare ? 0 : in_a_row_ + 1;
  if (!started_) {
    started_ = true;
    first_step_ = step.step;
    return;
  }
  last_step_ = step.step;
  ++steps_[static_cast<std::size_t>(step.level)];
  const bool follows = !newest_.empty() && newest_.back().step + 1 == step.step && newest_.back().timed == step.timed;
  if (!step.ordinary || !follows) newest_.clear();
  if (!step.ordinary) return;
  newest_.push_back(step);
  if (newest_.size() > 3) newest_.pop_front();
  if (newest_.size() == 3) compare();
}

/// Compares the middle step with its neighbours. Each pair counts once. If both neighbours are alike, linear drift
/// cancels.
void CostMeter::compare() {
  const Step& before = newest_[0];
  const Step& middle = newest_[1];
  const Step& after = newest_[2];
  const double around = (before.seconds + after.seconds) / 2;
  const auto bare = [](const Step& step) { return step.level == Level::kOff; };
  if (!bare(middle) && bare(before) && bare(after)) {
    add(middle.level, middle.seconds / around);
  } else if (bare(middle) && !bare(before) && before.level == after.level) {
    add(before.level, around / middle.seconds);
  } else if (bare(middle) && !bare(before) && !bare(after)) {
    add(before.level, before.seconds / middle.seconds);
    add(after.level, after.seconds / middle.seconds);
  } else {
    return;
  }
  newest_.erase(newest_.begin(), newest_.end() - 1);
}

void CostMeter::add(Level level, double ratio) {
  if (!std::isfinite(ratio)) return;
  std::deque<double>& ratios = ratios_[static_cast<std::size_t>(level)];
  ratios.push_back(ratio);
  if (ratios.size() > kMostRatios) ratios.pop_front();
}

std::optional<wire::ObserveCost> CostMeter::cost() const {
  std::int64_t all = 0;
  std::int64_t observed = 0;
  for (std::size_t level = 0; level < kLevels; ++level) {
    all += steps_[level];
    if (level != 0) observed += steps_[level];
  }
  if (observed == 0) return std::nullopt;
  wire::ObserveCost cost;
  cost.first_step = first_step_;
  cost.last_step = last_step_;
  cost.observed = static_cast<double>(observed) / static_cast<double>(all);
  for (std::size_t level = 1; level < kLevels; ++level) {
    if (steps_[level] == 0) continue;
    if (ratios_[level].size() < kFewestRatios) return std::nullopt;
    const double share = static_cast<double>(steps_[level]) / static_cast<double>(all);
    const Median ratio = median_of(ratios_[level]);
    cost.pairs += static_cast<std::int64_t>(ratios_[level].size());
    cost.ratio += share * (ratio.middle - 1);
    cost.low += share * (ratio.low - 1);
    cost.high += share * (ratio.high - 1);
  }
  cost.step_ratio = 1 + (cost.ratio - 1) / cost.observed;
  return cost;
}

bool CostMeter::due() {
  const auto now = Clock::now();
  if ((told_ && now - *told_ < kPause) || !cost()) return false;
  told_ = now;
  return true;
}

}  // namespace binade::run
