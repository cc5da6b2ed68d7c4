// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string>

namespace binade::trial {

/// Returns a name for what turns one policy into another: `fc1 in float32, aten::gelu in bfloat16`. It lists three
/// changes at most. `no change` for policies that state the same.
std::string change_name(const policy::Policy& before, const policy::Policy& after);

}  // namespace binade::trial
