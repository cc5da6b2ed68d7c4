// SPDX-License-Identifier: Apache-2.0
#include "app/model/profile_track.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::app {

namespace {

constexpr std::size_t kMostBins = 4096;
constexpr std::size_t kMostKept = 32;
constexpr std::size_t kMostKeptSites = 20'000;  // in all kept profiles together

class Mean {
 public:
  void add(double value, double weight) {
    if (std::isnan(value) || !(weight > 0)) return;
    sum_ += value * weight;
    weight_ += weight;
  }
  double value() const { return weight_ > 0 ? sum_ / weight_ : wire::kNotMeasured; }

 private:
  double sum_ = 0;
  double weight_ = 0;
};

}  // namespace

void ProfileTrack::add(const wire::Profile& profile) {
  any_ = true;
  addBins(profile);
  wire::Profile before = std::exchange(latest_, profile);
  latest_.bins.clear();
  if (!profile.sites.empty()) return keep(latest_);
  // Keeps the figures of op calls, and the steps that they are means of.
  latest_.sites = std::move(before.sites);
  if (profile.steps > 0 || before.steps == 0) return;
  latest_.first_step = before.first_step;
  latest_.last_step = before.last_step;
  latest_.steps = before.steps;
  latest_.step_seconds = before.step_seconds;
  latest_.outside = before.outside;
  latest_.idle = before.idle;
}

// Drops every second one if there are too many; the newest stays.
void ProfileTrack::keep(const wire::Profile& profile) {
  std::erase_if(kept_,
                [&](const wire::Profile& old) { return old.last_step >= profile.first_step; });  // after a rewind
  kept_.push_back(profile);
  while (kept_.size() > 1 && (kept_.size() > kMostKept || kept_.size() * profile.sites.size() > kMostKeptSites)) {
    std::size_t to = 0;
    for (std::size_t from = (kept_.size() + 1) % 2; from < kept_.size(); from += 2) {
      if (from != to) kept_[to] = std::move(kept_[from]);
      ++to;
    }
    kept_.resize(to);
  }
}

const wire::Profile& ProfileTrack::at(std::int64_t step) const {
  static const wire::Profile none;
  const auto found =
      std::find_if(kept_.rbegin(), kept_.rend(), [step](const wire::Profile& each) { return each.last_step <= step; });
  return found == kept_.rend() ? none : *found;
}

void ProfileTrack::addBins(const wire::Profile& profile) {
  if (profile.bins.empty()) return;
  const double begin = profile.bins.front().time;
  const double end = profile.bins.back().time + profile.bins.back().seconds;
  const auto steps = static_cast<double>(std::max<std::int64_t>(1, profile.last_step - profile.first_step + 1));
  Mean tensor;
  std::int64_t open = -1;
  for (const wire::ProfileBin& bin : profile.bins) {
    bins_.push_back(bin);
    if (std::isnan(bin.tensor)) continue;
    const double part = end > begin ? (bin.time + bin.seconds / 2 - begin) / (end - begin) : 0;
    const std::int64_t step = profile.first_step + static_cast<std::int64_t>(std::clamp(part * steps, 0.0, steps - 1));
    if (step != open) {
      if (!curve_.empty() && step <= curve_.back().step) continue;  // already drawn
      curve_.push_back({step, bin.tensor, bin.tensor, bin.tensor});
      tensor = Mean();
      open = step;
    }
    tensor.add(bin.tensor, bin.seconds * bin.covered);
    CurvePoint& point = curve_.back();
    point.tensor = std::isnan(tensor.value()) ? bin.tensor : tensor.value();
    point.lowest = std::min(point.lowest, bin.tensor);
    point.highest = std::max(point.highest, bin.tensor);
  }
  while (bins_.size() > kMostBins) bins_.pop_front();
}

wire::ProfileBin ProfileTrack::recent(double seconds) const {
  wire::ProfileBin mean;
  if (bins_.empty()) return mean;
  const double from = bins_.back().time + bins_.back().seconds - seconds;
  Mean tensor, hmma, imma, dmma, sm, clock, covered;
  for (const wire::ProfileBin& bin : bins_) {
    if (bin.time < from) continue;
    const double weight = bin.seconds * bin.covered;
    tensor.add(bin.tensor, weight);
    hmma.add(bin.hmma, weight);
    imma.add(bin.imma, weight);
    dmma.add(bin.dmma, weight);
    sm.add(bin.sm_active, weight);
    clock.add(bin.clock, weight);
    covered.add(bin.covered, bin.seconds);
  }
  mean.time = std::max(from, bins_.front().time);
  mean.seconds = bins_.back().time + bins_.back().seconds - mean.time;
  mean.covered = covered.value();
  mean.tensor = tensor.value();
  mean.hmma = hmma.value();
  mean.imma = imma.value();
  mean.dmma = dmma.value();
  mean.sm_active = sm.value();
  mean.clock = clock.value();
  return mean;
}

bool hasSites(const wire::Profile& profile) {
  return !profile.sites.empty();
}

}  // namespace binade::app
