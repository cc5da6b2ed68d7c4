// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/what_if.h"

#include <cstdint>

namespace binade::compare {

/// Runs the first batch of the next step, takes one operand of a product from it, and quantizes that to every scaled
/// format. `step` is that step's number. The operand is as the policy in force makes it, also where its product has an
/// ordinary format. Delayed scaling has a scale only where the policy uses it; otherwise its blocks are shown with
/// current scaling.
///
/// Gradients, buffers, random state and data cursor are restored, also after an exception. Throws Error{kUsage} for an
/// op call without products, a format that is none, an operand that the step does not have, and the input of a
/// convolution in the gradient of its weight, which exists only in parts.
wire::WhatIf what_if_formats(train::Training& training, const wire::AskWhatIf& asked, std::int64_t step);

}  // namespace binade::compare
