// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of quantized operands.

#include "engine/wire/fields.h"
#include "engine/wire/quantized.h"
#include "engine/wire/what_if.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

namespace binade::wire {

/// The occupied part of a distribution of scales: most of its binades are empty.
struct ScaleCounts {
  int first = 0;  ///< binade of counts[0]
  std::vector<std::uint32_t> counts;

  static ScaleCounts of(const scaled::BlockStats& stats) {
    const auto occupied = [](std::uint32_t count) { return count != 0; };
    const auto begin = std::ranges::find_if(stats.scales, occupied);
    if (begin == stats.scales.end()) return {};
    const auto end = std::find_if(stats.scales.rbegin(), stats.scales.rend(), occupied).base();
    return {scaled::BlockStats::kFirstBinade + static_cast<int>(std::distance(stats.scales.begin(), begin)),
            {begin, end}};
  }

  /// Counts outside of the range are left out; RunGate reports that their sum does not fit.
  void to(scaled::BlockStats& stats) const {
    stats.scales = {};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::int64_t at = std::int64_t{first} - scaled::BlockStats::kFirstBinade + static_cast<std::int64_t>(i);
      if (at >= 0 && at < scaled::BlockStats::kBinades) stats.scales[static_cast<std::size_t>(at)] = counts[i];
    }
  }
};

void fields(auto& field, Is<scaled::BlockStats> auto& v) {
  field("values", v.values);
  field("non_finite", v.non_finite);
  field("non_zero", v.non_zero);
  field("to_zero", v.to_zero);
  field("saturated", v.saturated);
  field("blocks", v.blocks);
  field("zero_blocks", v.zero_blocks);
  field("dead_blocks", v.dead_blocks);
  field("outlier_blocks", v.outlier_blocks);
  ScaleCounts scales = ScaleCounts::of(v);
  field("first_scale", scales.first);
  field("scales", scales.counts);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>) scales.to(v);
  field("largest", v.largest);
  field("signal", v.signal);
  field("noise", v.noise);
  field("error", v.error);
}

BINADE_FIELDS(QuantizedOperand, site, product, operand, format, executions, stats, stale)
BINADE_FIELDS(QuantizedStep, step, operands)
BINADE_FIELDS(AskWhatIf, site, product, operand, format)
BINADE_FIELDS(FormatEffect, format, stats)
BINADE_FIELDS(QuantizedBlock, row, column, rows, scale, snr_db, values, quantized)
BINADE_FIELDS(WhatIf, step, site, product, operand, present, effects, format, blocks)

}  // namespace binade::wire
