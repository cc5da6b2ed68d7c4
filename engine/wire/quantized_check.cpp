// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/quantized_check.h"

#include "engine/scaled/scaled_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace binade::wire {

namespace {

void check_format(FieldCheck& check, const std::string& format) {
  check.that(scaled::parse(format).has_value(), "format", [&] { return scaled::why_not(format); });
}

void check_stats(FieldCheck& check, const scaled::BlockStats& stats) {
  check.that(stats.non_zero <= stats.values && stats.non_finite <= stats.values - stats.non_zero, "values",
             "are fewer than those that are not 0");
  check.that(stats.to_zero <= stats.non_zero, "to_zero", "exceeds the number of values that are not 0");
  check.that(stats.saturated <= stats.non_zero, "saturated", "exceeds the number of values that are not 0");
  const bool known = stats.zero_blocks <= stats.blocks && stats.dead_blocks <= stats.blocks;
  check.that(known && stats.outlier_blocks <= stats.blocks, "blocks", "are fewer than those of a kind");
  const std::uint64_t scales = std::accumulate(stats.scales.begin(), stats.scales.end(), std::uint64_t{0});
  check.that(scales <= stats.blocks, "scales", "count more blocks than there are");
  check.that(stats.largest >= 0 && std::isfinite(stats.largest), "largest", "is not a magnitude");
  check.that(stats.signal >= 0 && stats.noise >= 0, "signal", "or noise is not a sum of squares");
}

}  // namespace

void check_quantized(FieldCheck& check, const QuantizedOperand& operand) {
  check.site(operand.site, "site").at_least(operand.executions, 1, "executions");
  check_format(check, operand.format);
  check_stats(check, operand.stats);
  check.that(!operand.stale || !std::isnan(*operand.stale), "stale", "is not a number");
}

void check_effect(FieldCheck& check, const FormatEffect& effect) {
  check_format(check, effect.format);
  check_stats(check, effect.stats);
}

void check_block(FieldCheck& check, const QuantizedBlock& block) {
  check.at_least(block.row, 0, "row").at_least(block.column, 0, "column").at_least(block.rows, 1, "rows");
  check.that(std::isfinite(block.scale) && block.scale > 0, "scale", "is not a scale");
  check.that(!std::isnan(block.snr_db), "snr_db", "is not a number");
  const bool even = !block.values.empty() && std::ssize(block.values) % block.rows == 0;
  check.that(even && block.values.size() == block.quantized.size(), "values", "are not those of a block");
  const auto finite = [](const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  };
  check.that(finite(block.values) && finite(block.quantized), "values", "are not all finite");
}

}  // namespace binade::wire
