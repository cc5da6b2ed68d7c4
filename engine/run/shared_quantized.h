// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"

#include <vector>

namespace binade::ranks {
class SharedTraining;
}

namespace binade::run {

/// Adds the statistics of quantized operands of `other`, another rank in the same step, to those of this rank: counts,
/// distributions of scales and sums of squares added, largest magnitudes over both. Weights are equal on all ranks and
/// stay. An alternative (stochastic rounding, transform, current scale) remains where both ranks have measured it,
/// since it is compared with the statistics of the same values.
void add_quantized(std::vector<silent::QuantizedSeen>& own, std::vector<silent::QuantizedSeen> other);

/// Gives rank 0 the quantized operands of all ranks, in its own list. Call it on all ranks in the same steps.
void share_quantized(ranks::SharedTraining& shared, std::vector<silent::QuantizedSeen>& own);

}  // namespace binade::run
