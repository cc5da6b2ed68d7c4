// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/comparison.h"

#include <functional>
#include <string>
#include <vector>

namespace binade::words {

/// Where the float32 run of a comparison is not what the model would do in float32, a sentence for each kind of place;
/// empty if nowhere. `name_of` names the op call with an id.
std::vector<std::string> reference_notes(const wire::Float32Comparison& comparison,
                                         const std::function<std::string(int)>& name_of);

}  // namespace binade::words
