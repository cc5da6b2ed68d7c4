// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/lessons/figure_data.h"

namespace binade::lessons {

/// The figure of kind `scaled_tail` for a measured tensor, such as a gradient of a live run: its histogram at scale 1
/// and multiplied by 2^exponent, and the shares that become 0, subnormal, normal and infinite. `measured` is the
/// exponent of the loss scale at which the statistics were measured; the figure divides by that scale. `allowed` is the
/// share (0.001: one in a thousand) of the finite non-zero values that may become 0 at the smallest suitable scale.
/// Values that were 0 or not finite when they were measured do not count. Shares are exact for statistics of
/// Depth::kWhatIf and otherwise upper bounds. `exponent` is from 0 to 24.
FigureData scaled_tail_of(const formats::TensorStats& stats, const formats::Format& format, int exponent,
                          double allowed, int measured = 0);

}  // namespace binade::lessons
