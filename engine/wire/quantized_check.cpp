// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/quantized_check.h"

#include "engine/scaled/scaled_format.h"

#include <cmath>
#include <cstdint>
#include <numeric>

namespace binade::wire {

void check_quantized(FieldCheck& check, const QuantizedOperand& operand) {
  const scaled::BlockStats& stats = operand.stats;
  check.site(operand.site, "site").at_least(operand.executions, 1, "executions");
  check.that(scaled::parse(operand.format).has_value(), "format", [&] { return scaled::why_not(operand.format); });
  check.that(stats.non_zero <= stats.values && stats.non_finite <= stats.values - stats.non_zero, "values",
             "are fewer than those that are not 0");
  check.that(stats.to_zero <= stats.non_zero, "to_zero", "exceeds the number of values that are not 0");
  check.that(stats.saturated <= stats.non_zero, "saturated", "exceeds the number of values that are not 0");
  check.that(
      stats.zero_blocks <= stats.blocks && stats.dead_blocks <= stats.blocks && stats.outlier_blocks <= stats.blocks,
      "blocks", "are fewer than those of a kind");
  const std::uint64_t scales = std::accumulate(stats.scales.begin(), stats.scales.end(), std::uint64_t{0});
  check.that(scales <= stats.blocks, "scales", "count more blocks than there are");
  check.that(stats.largest >= 0 && std::isfinite(stats.largest), "largest", "is not a magnitude");
  check.that(stats.signal >= 0 && stats.noise >= 0, "signal", "or noise is not a sum of squares");
  check.that(!operand.stale || !std::isnan(*operand.stale), "stale", "is not a number");
}

}  // namespace binade::wire
