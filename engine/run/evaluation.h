// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace binade::run {

/// Runs the test data in eval mode under the current policy, without changing the training. Accuracy is NaN for a loss
/// without classes. nullopt if there is no test data, or once `stopped` returns true.
std::optional<wire::Evaluated> evaluate(train::Training& training, std::int64_t step,
                                        const std::function<bool()>& stopped);

/// Returns a sentence on why an evaluation after `step` steps had no finite loss. It names non-finite buffers, such as
/// batch norm statistics, which train mode does not use.
std::string why_not_finite(const train::Training& training, std::int64_t step);

}  // namespace binade::run
