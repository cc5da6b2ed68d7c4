// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/python_literals.h"
#include "engine/targets/target.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace binade::targets {

// Programs that quantize the three products of linear layers have a few recipes, and lists of the layers that take
// part. These functions translate between such files and policies with formats of products.

/// A recipe of a program.
struct LayerRecipe {
  /// Variables of the file that choose it, with values as Python literals: a text or a flag.
  std::vector<std::pair<std::string_view, std::string>> settings;
  policy::Products products;  ///< what it computes
};

/// Products with formats as policy files name them; an empty text is a product in the ordinary format. The names must
/// be known.
policy::Products products_in(std::string_view forward, std::string_view grad_input, std::string_view grad_weight);

/// Whether an op call is a linear layer of the program: a module with a linear op.
bool is_linear_layer(const policy::SiteKey& key);

/// Module paths of the linear layers of a model.
std::set<std::string> linear_layers(const Assignment& model);

/// What a file can say of the linear layers of a model.
struct LayerPlan {
  std::size_t recipe = 0;           ///< index in the program's recipes: that of most quantized layers, or the nearest
  std::set<std::string> quantized;  ///< module paths of the layers that have a product with a scaled format
  std::set<std::string> kept;       ///< of all other layers
};

/// `recipes` must not be empty. The first call of a layer decides for it.
LayerPlan plan_layers(const Assignment& assignment, const std::vector<LayerRecipe>& recipes);

/// The policy in which the linear layers of these paths have the products and all other op calls follow the base list.
policy::Policy policy_of_layers(const Assignment& model, const policy::Products& products,
                                const std::set<std::string>& quantized);

/// Lines that set the variables of a recipe.
std::string settings_text(const LayerRecipe& recipe);

/// Index of the first recipe that the variables of a file choose; absent variables fit every recipe. Throws
/// Error{kBadPolicy} if the first variable is absent or no recipe fits.
std::size_t recipe_of(const PythonLiterals& literals, const std::vector<LayerRecipe>& recipes);

// Files that choose a recipe and list the layers that it leaves out, in the variable HIGH_PRECISION_LAYERS.

/// The variables for an assignment, with the findings on what they cannot say. `program` is its name in messages.
Written write_exclusions(const Assignment& assignment, const std::vector<LayerRecipe>& recipes,
                         const std::string& program);

/// The policy that such variables state. Throws Error{kBadPolicy} as recipe_of() does.
Read read_exclusions(std::string_view text, const std::string& source, const Assignment& model,
                     const std::vector<LayerRecipe>& recipes);

/// Adds a note on what `program` leaves to the rest of the program, and a finding for each op call that the assignment
/// treats otherwise than `stated`. `choice` says of the program which linear layers it can quantize in which way.
void declare_layers(const Assignment& assignment, const policy::Policy& stated, const std::string& program,
                    const std::string& choice, Findings& findings);

/// `choice` of programs with a list of layers.
inline constexpr const char* kOneRecipe = "has one recipe for all linear layers that it quantizes";

}  // namespace binade::targets
