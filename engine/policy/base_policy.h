// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <optional>
#include <string>
#include <string_view>

namespace binade::policy {

// Wherever a policy file can be named, the name of a base list can stand: `cuda-amp`.

/// The base list of that name, unedited, with the low format that a file without one has; nothing where it is no
/// list's name.
std::optional<Policy> base_policy(std::string_view name);

/// Every op call in float32, a model's own autocast blocks overruled: what a policy is compared with.
Policy float32_throughout();

/// For a text that is neither a file nor a list: the list that it most likely means, and the lists' names.
std::string hint_on_base(std::string_view text);

}  // namespace binade::policy
