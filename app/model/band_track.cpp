// SPDX-License-Identifier: Apache-2.0
#include "app/model/band_track.h"

#include <algorithm>

namespace binade::app {

namespace {

// Returns whether a gradient has neither a finite non-zero value nor an infinity (which was a value too large for the
// format).
bool isInconclusive(const formats::TensorStats& stats) {
  return !(stats.largest > 0) && stats.positive_infinity + stats.negative_infinity == 0;
}

}  // namespace

void BandTrack::add(std::int64_t step, const Gradients& gradients) {
  std::vector<formats::ScaledGradient> watched;
  std::vector<int> ids;
  int silent = 0;
  for (const auto& [id, gradient] : gradients) {
    if (gradient.stats->scan) continue;
    if (isInconclusive(*gradient.stats)) {
      ++silent;
      continue;
    }
    watched.push_back(gradient);
    ids.push_back(id);
  }
  if (watched.empty() || seen_++ % every_ != 0) return;
  const formats::SafeBand band = formats::safe_band(watched);
  BandPoint point{step, band.lowest, band.highest, -1, -1, band.bound || silent > 0, silent};
  if (band.lowest_from) point.lowest_tensor = ids[*band.lowest_from];
  if (band.highest_from) point.highest_tensor = ids[*band.highest_from];
  points_.push_back(point);
  if (points_.size() < kMostPoints) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points_.size(); i += 2) points_[kept++] = points_[i];
  points_.resize(kept);
  every_ *= 2;
}

void BandTrack::put(std::int64_t step, std::optional<int> lowest, std::optional<int> highest, bool bound) {
  const auto at = std::lower_bound(points_.begin(), points_.end(), step,
                                   [](const BandPoint& point, std::int64_t s) { return point.step < s; });
  const BandPoint point{step, lowest, highest, -1, -1, bound, 0};
  if (at != points_.end() && at->step == step) {
    *at = point;
  } else {
    points_.insert(at, point);
  }
}

void BandTrack::dropFrom(std::int64_t step) {
  std::erase_if(points_, [step](const BandPoint& point) { return point.step >= step; });
}

const BandPoint* BandTrack::at(std::int64_t step) const {
  const auto after = std::upper_bound(points_.begin(), points_.end(), step,
                                      [](std::int64_t s, const BandPoint& point) { return s < point.step; });
  return after == points_.begin() ? nullptr : &*std::prev(after);
}

}  // namespace binade::app
