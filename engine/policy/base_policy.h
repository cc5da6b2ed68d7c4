// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <optional>
#include <string>
#include <string_view>

namespace binade::policy {

// Wherever a command or request takes a policy file, it also takes the name of a base list, such as `cuda-amp`, or of a
// recipe, such as `mxfp8` (recipes.h).

/// Policy that consists of the base list of that name, with the list's default low format, or of the recipe of that
/// name. Empty if neither has the name.
std::optional<Policy> base_policy(std::string_view name);

/// Policy that runs every op call in float32 and overrides a model's own autocast blocks; the reference of comparisons.
Policy float32_throughout();

/// Whether a rule states formats of products.
bool has_products(const Policy& policy);
/// The policy without the formats of products: its rules keep their ordinary formats.
Policy without_products(Policy policy);

/// A sentence with everything that names a policy: a file, base lists and recipes.
std::string names_of_policies();

/// Hint for a text that is neither a policy file nor the name of a base list or recipe: the most similar name and all
/// names.
std::string hint_on_base(std::string_view text);

}  // namespace binade::policy
