// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace binade::train {

/// Runs the test half in eval mode under the policy in force, leaving training as it was, bit for bit. Accuracy is NaN
/// for a loss without classes. Nothing where the data has no test half, or where
/// `stopped` says so on the way.
std::optional<wire::Evaluated> evaluate(Training& training, std::int64_t step, const std::function<bool()>& stopped);

/// A sentence on why an evaluation after `step` steps had no finite loss: buffers that are not finite, which training
/// may not look at (a batch norm's statistics), are named.
std::string why_not_finite(const Training& training, std::int64_t step);

}  // namespace binade::train
