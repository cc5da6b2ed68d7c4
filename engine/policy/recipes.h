// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::policy {

// Recipes are policies that train linear layers and convolutions with scaled operands, as published: PyTorch's lists in
// bfloat16, and rules for the products of `linear` and of convolutions. A recipe is a starting point. Rules behind its
// own keep single op calls in bfloat16, as the publications do with the first and the last layers.
//
// - `mxfp8`: blocks of 32 with E4M3 in all three products (NVIDIA Transformer Engine).
// - `nvfp4`: blocks of 16 with E2M1 in all three products, square blocks of weights, stochastic rounding of gradients,
//   Hadamard transform of the weight gradient's operands (NVIDIA, arXiv 2509.25149).
// - `fp8-current`, `fp8-delayed`: one scale per tensor, from this tensor or from the largest magnitudes of earlier
//   steps; E4M3 forward, E5M2 gradients (Transformer Engine, hybrid).
// - `fp8-block`: 1×128 blocks of activations and gradients, 128×128 blocks of weights, E4M3 (DeepSeek-V3).

/// Names of the recipes, in the order in which they are listed.
const std::vector<std::string>& recipe_names();

/// The policy of a recipe; empty if no recipe has the name.
std::optional<Policy> recipe(std::string_view name);

/// One line that characterises a recipe. Empty if no recipe has the name.
std::string recipe_brief(std::string_view name);

/// Whether a rule is a recipe's own. A model may lack what such a rule is for, because a recipe fits every model.
bool is_of_recipe(const SiteRule& rule);

}  // namespace binade::policy
