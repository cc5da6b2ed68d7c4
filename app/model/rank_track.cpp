// SPDX-License-Identifier: Apache-2.0
#include "app/model/rank_track.h"

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {
constexpr std::size_t kFewest = 50;  // steps, however many ranks there are
}  // namespace

void RankTrack::add(const wire::StepRecord& step) {
  bool known = step.ranks.size() == ranks_;
  for (std::size_t i = 0; i < step.ranks.size(); ++i) known = known && step.ranks[i].rank == static_cast<int>(i);
  if (!known) {
    for (std::size_t i = 0; i < ranks_; ++i) points_.push_back({});
    return;
  }
  if (ranks_ == 0) return;
  double sum = 0;
  int measured = 0;
  for (const wire::RankFacts& facts : step.ranks) {
    points_.push_back({facts.seconds, facts.waited, facts.tensor, step.seconds, facts.found_inf, true});
    const bool has_tensor = !std::isnan(facts.tensor);
    sum += has_tensor ? facts.tensor : 0;
    measured += has_tensor ? 1 : 0;
    const auto at = static_cast<std::size_t>(facts.rank);
    if (at >= lines_.size()) continue;
    lines_[at].busy.append(step.step, facts.seconds);
    if (has_tensor) lines_[at].tensor.append(step.step, facts.tensor);
  }
  const auto [fastest, slowest] = std::ranges::minmax_element(step.ranks, {}, &wire::RankFacts::seconds);
  slowest_.append(step.step, slowest->seconds);
  fastest_.append(step.step, fastest->seconds);
  if (measured > 0) tensor_.append(step.step, sum / measured);
}

void RankTrack::dropFrom(std::int64_t step, std::size_t size) {
  points_.truncate(std::min(points_.size(), size * ranks_));
  const auto cut = [step](views::Series& series) { series.truncate(series.lowerBound(step)); };
  for (Line& line : lines_) {
    cut(line.busy);
    cut(line.tensor);
  }
  for (views::Series* each : {&slowest_, &fastest_, &tensor_}) cut(*each);
}

const RankTrack::Line* RankTrack::line(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return rank < 0 || at >= std::min(ranks_, kMostSeries) ? nullptr : &lines_[at];
}

std::vector<wire::RankFacts> RankTrack::at(std::size_t index) const {
  std::vector<wire::RankFacts> all;
  if (index >= size()) return all;
  for (std::size_t i = 0; i < ranks_; ++i) {
    const Point point = points_[index * ranks_ + i];
    if (!point.known) return {};
    wire::RankFacts facts;
    facts.rank = static_cast<int>(i);
    facts.seconds = point.seconds;
    facts.waited = point.waited;
    facts.found_inf = point.found_inf;
    facts.tensor = point.tensor;
    all.push_back(std::move(facts));
  }
  return all;
}

wire::RankTotals RankTrack::recent(std::size_t size) const {
  wire::RankTotals totals;
  const std::size_t end = std::min(size, this->size());
  if (end == 0) return totals;
  const std::size_t most = std::min(kRecent, std::max(kFewest, kRecent * kMostSeries / ranks_));
  for (std::size_t i = end > most ? end - most : 0; i < end; ++i) {
    totals.add(at(i), points_[i * ranks_].step_seconds);
  }
  return totals;
}

}  // namespace binade::app
