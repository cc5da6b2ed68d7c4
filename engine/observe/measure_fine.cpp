// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/half_to_float.h"
#include "engine/observe/measure_kernel.h"

#include <algorithm>

namespace binade::observe {

namespace {

constexpr std::size_t kPlaces = static_cast<std::size_t>(formats::kBinades) * formats::kSteps;
constexpr std::size_t kBlock = 1024;

}  // namespace

FineTally::FineTally() : counts_(kPlaces), squares_(kPlaces) {}

void FineTally::measure_values(const void* values, Storage storage, std::size_t count) {
  alignas(64) std::uint32_t bits[kBlock];
  for (std::size_t start = 0; start < count; start += kBlock) {
    const std::size_t size = std::min(kBlock, count - start);
    half_to_float(values, storage, start, size, bits);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t magnitude = bits[i] & kMagnitude;
      if (magnitude == 0 || magnitude >= kInfinity) continue;
      const formats::FinePlace place = formats::fine_place(magnitude);
      const auto at = static_cast<std::size_t>((place.binade - formats::kFirstBinade) * formats::kSteps + place.step);
      const double value = value_of(magnitude);
      ++counts_[at];
      squares_[at] += value * value;
    }
  }
}

void FineTally::add(const FineTally& other) {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    counts_[i] += other.counts_[i];
    squares_[i] += other.squares_[i];
  }
}

std::vector<formats::FineCount> FineTally::rows() const {
  std::vector<formats::FineCount> rows;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    if (counts_[i] == 0) continue;
    const auto number = static_cast<int>(i);
    const formats::FinePlace place{number / formats::kSteps + formats::kFirstBinade, number % formats::kSteps};
    rows.push_back({place, counts_[i], squares_[i]});
  }
  return rows;
}

}  // namespace binade::observe
