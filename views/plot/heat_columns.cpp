// SPDX-License-Identifier: Apache-2.0
#include "views/plot/heat_columns.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr int kMostReads = 16;

void merge(HeatColumn& into, const HeatColumn& later) {
  if (!into.valid()) into.first = later.first;
  into.last = later.last;
  into.scaleLog2 = later.scaleLog2;
  into.count = later.count;
  into.zero = later.zero;
  into.nonFinite += later.nonFinite;
  for (std::size_t i = 0; i < into.heat.size(); ++i) into.heat[i] = std::max(into.heat[i], later.heat[i]);
}

HeatColumn columnOf(std::int64_t step, const formats::TensorStats& stats, double scaleLog2) {
  HeatColumn column;
  column.first = column.last = step;
  column.scaleLog2 = static_cast<float>(scaleLog2);
  column.count = stats.count;
  column.zero = stats.zero;
  column.nonFinite = stats.non_finite();
  const auto nonZero = static_cast<double>(stats.count - stats.zero);
  for (std::size_t i = 0; i < column.heat.size(); ++i) {
    if (stats.binades[i] > 0) column.heat[i] = HeatColumns::heatOf(stats.binades[i] / nonZero, nonZero);
  }
  return column;
}

}  // namespace

std::uint8_t HeatColumns::heatOf(double share, double count) {
  if (!(share > 0)) return 0;
  constexpr double kMostShareLog2 = -1;  // log2 of a share
  constexpr double kFaintest = 48;
  const double least = std::clamp(-std::log2(count), -20.0, -6.0);
  const double at = 255 - (kMostShareLog2 - std::log2(share)) * (255 - kFaintest) / (kMostShareLog2 - least);
  return static_cast<std::uint8_t>(std::lround(std::clamp(at, kFaintest, 255.0)));
}

bool HeatColumns::append(std::int64_t step, const formats::TensorStats& stats, double scaleLog2) {
  if (step < 0 || step <= last_) return false;
  const HeatColumn column = columnOf(step, stats, scaleLog2);
  std::int64_t bucket = step;
  for (Level& level : levels_) {
    if (level.slots.empty()) {
      level.slots.resize(kSlots);
      level.bucket.assign(kSlots, -1);
    }
    const auto slot = static_cast<std::size_t>(bucket % kSlots);
    if (level.bucket[slot] != bucket) {
      level.bucket[slot] = bucket;
      level.slots[slot] = {};
    }
    merge(level.slots[slot], column);
    bucket /= kFactor;
  }
  if (exact_.empty()) exact_.resize(kSlots);
  exact_[static_cast<std::size_t>(step % kSlots)] = stats;
  if (first_ < 0) first_ = step;
  last_ = step;
  return true;
}

void HeatColumns::clear() {
  *this = HeatColumns();
}

const HeatColumn* HeatColumns::slot(int level, std::int64_t bucket) const {
  const Level& ring = levels_[static_cast<std::size_t>(level)];
  if (ring.slots.empty() || bucket < 0) return nullptr;
  const auto at = static_cast<std::size_t>(bucket % kSlots);
  return ring.bucket[at] == bucket ? &ring.slots[at] : nullptr;
}

const HeatColumn* HeatColumns::at(std::int64_t step) const {
  return slot(0, step);
}

const formats::TensorStats* HeatColumns::statsAt(std::int64_t step) const {
  return at(step) ? &exact_[static_cast<std::size_t>(step % kSlots)] : nullptr;
}

HeatColumn HeatColumns::query(std::int64_t first, std::int64_t end) const {
  HeatColumn result;
  if (empty()) return result;
  first = std::max(first, first_);
  end = std::min(end, last_ + 1);
  if (first >= end) return result;
  int level = 0;
  std::int64_t width = 1;
  while (level + 1 < kLevels && ((end - first) / width > kMostReads || first / width <= last_ / width - kSlots)) {
    ++level;
    width *= kFactor;
  }
  for (std::int64_t bucket = first / width; bucket <= (end - 1) / width; ++bucket) {
    if (const HeatColumn* column = slot(level, bucket)) merge(result, *column);
  }
  return result;
}

}  // namespace binade::views
