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

void check_format(FieldCheck& check, const std::string& format, const char* field = "format") {
  check.that(scaled::parse(format).has_value(), field, [&] { return scaled::why_not(format); });
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
  const auto is_sum = [](double squares) { return squares >= 0 && std::isfinite(squares); };
  check.that(is_sum(stats.signal) && is_sum(stats.noise), "signal", "or noise is not a sum of squares");
  check.finite(stats.error, "error");
}

}  // namespace

void check_quantized(FieldCheck& check, const QuantizedOperand& operand) {
  check.site(operand.site, "site").at_least(operand.executions, 1, "executions");
  check_format(check, operand.format);
  check_stats(check, operand.stats);
  check.finite(operand.stale.value_or(0), "stale");
}

void check_what_if(FieldCheck& check, const WhatIf& what_if) {
  check.step(what_if.step, "step").site(what_if.site, "site");
  if (!what_if.present.empty()) check_format(check, what_if.present, "present");
  check_format(check, what_if.format);
  check.that(what_if.blocks.size() <= WhatIf::kMostBlocks, "blocks",
             [] { return "are more than " + std::to_string(WhatIf::kMostBlocks); });
}

void check_effect(FieldCheck& check, const FormatEffect& effect) {
  check_format(check, effect.format);
  check_stats(check, effect.stats);
}

void check_block(FieldCheck& check, const QuantizedBlock& block) {
  const auto is_place = [](std::int64_t value) { return value >= 0 && value <= kMostElements; };
  check.that(is_place(block.row), "row", "is not a place in a matrix");
  check.that(is_place(block.column), "column", "is not a place in a matrix");
  check.at_least(block.rows, 1, "rows");
  check.that(std::isfinite(block.scale) && block.scale > 0, "scale", "is not a scale");
  check.that(!std::isnan(block.snr_db), "snr_db", "is not a number");
  if (!check.well()) return;  // the number of rows divides that of the values
  const bool fits = !block.values.empty() && block.values.size() <= WhatIf::kMostValues;
  const bool even = fits && std::ssize(block.values) % block.rows == 0;
  check.that(even && block.values.size() == block.quantized.size(), "values", "are not those of a block");
  const auto finite = [](const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  };
  check.that(finite(block.values) && finite(block.quantized), "values", "are not all finite");
}

}  // namespace binade::wire
