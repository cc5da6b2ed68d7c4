// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/lessons/figure_data.h"

namespace binade::lessons {

/// The figure of kind `scaled_tail` for a measured tensor, such as a gradient of a live run: its histogram at scale 1
/// and multiplied by 2^exponent, and the shares that become 0, subnormal, normal and infinite. `allowed` is the share
/// (0.001: one in a thousand) of the finite non-zero values that may become 0 at the smallest suitable scale. Shares
/// are exact for statistics of Depth::kWhatIf and otherwise upper bounds. `exponent` is from 0 to 24.
FigureData scaled_tail_of(const formats::TensorStats& stats, const formats::Format& format, int exponent,
                          double allowed);

}  // namespace binade::lessons
