// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/records.h"

#include <functional>
#include <optional>

namespace binade::train {

/// Runs the test half in eval mode under the policy in force, leaving training as it was, bit for bit. Accuracy is NaN
/// for a loss without classes. Nothing where the data has no test half, or where
/// `stopped` says so on the way.
std::optional<wire::Evaluated> evaluate(Training& training, std::int64_t step, const std::function<bool()>& stopped);

}  // namespace binade::train
