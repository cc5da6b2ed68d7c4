// SPDX-License-Identifier: Apache-2.0
// Format: converters of torchtitan's components/quantization, as of 2026: MXFP8LinearConverter (scales rounded up) and
// NVFP4LinearConverter (stochastic rounding and Hadamard transform). Both take `fqns`: a linear layer is converted if
// its name contains one of them, and all are if there is none. Float8LinearConverter has scales per row only.

#include "engine/targets/scaled_layers.h"
#include "engine/targets/target_list.h"

#include <algorithm>

namespace binade::targets {

namespace {

using Paths = std::set<std::string>;

const std::vector<LayerRecipe>& titan_recipes() {
  static const std::vector<LayerRecipe> recipes = [] {
    LayerRecipe nvfp4{{{"CONVERTER", python_text("NVFP4LinearConverter")}}, products_in("nvfp4", "nvfp4", "nvfp4")};
    nvfp4.products.rounding = policy::Rounding::kStochastic;
    nvfp4.products.transform = policy::Transform::kHadamard;
    return std::vector<LayerRecipe>{{{{"CONVERTER", python_text("MXFP8LinearConverter")}},
                                     products_in("mxfp8+rceil", "mxfp8+rceil", "mxfp8+rceil")},
                                    nvfp4};
  }();
  return recipes;
}

bool contains_any(const std::string& path, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return path.find(part) != std::string::npos; });
}

/// The shortest beginning of a path, cut behind a point, that no kept path contains; the whole path if there is none.
std::string telling_part(const std::string& path, const Paths& kept) {
  for (std::size_t point = path.find('.'); point != std::string::npos; point = path.find('.', point + 1)) {
    const std::string part = path.substr(0, point + 1);
    const bool tells = std::none_of(kept.begin(), kept.end(),
                                    [&](const std::string& other) { return other.find(part) != std::string::npos; });
    if (tells) return part;
  }
  return path;
}

/// Parts of names for the quantized layers; empty if all layers are quantized.
std::vector<std::string> titan_parts(const LayerPlan& plan) {
  if (plan.kept.empty()) return {};
  Paths parts;
  for (const std::string& path : plan.quantized) parts.insert(telling_part(path, plan.kept));
  return {parts.begin(), parts.end()};
}

/// The layers that the converter converts.
Paths converted(const Assignment& model, const std::vector<std::string>& parts) {
  Paths paths = linear_layers(model);
  if (!parts.empty()) std::erase_if(paths, [&](const std::string& path) { return !contains_any(path, parts); });
  return paths;
}

Written write_torchtitan(const Assignment& assignment) {
  const LayerPlan plan = plan_layers(assignment, titan_recipes());
  const LayerRecipe& recipe = titan_recipes()[plan.recipe];
  const std::vector<std::string> parts = titan_parts(plan);
  const bool any = !plan.quantized.empty();
  const std::string text =
      "# Converters for torchtitan, written by Binade. A linear layer is converted if its name contains one of FQNS;\n"
      "# without FQNS, all are.\n" +
      (any ? settings_text(recipe) : std::string("CONVERTER = \"\"\n")) + "FQNS = " + python_list(parts) +
      "\n\n\ndef converters():\n"
      "    from torchtitan.components import quantization\n\n"
      "    return [getattr(quantization, CONVERTER).Config(fqns=FQNS)] if CONVERTER else []\n";
  Findings findings;
  const Paths taken = any ? converted(assignment, parts) : Paths();
  for (const std::string& path : taken) {
    if (!plan.quantized.contains(path)) {
      findings.add(Finding::Kind::kNote, "torchtitan matches parts of names, so that " + path + " is converted too");
    }
  }
  declare_layers(assignment, policy_of_layers(assignment, recipe.products, taken), "torchtitan", kOneRecipe, findings);
  return {text, findings.list()};
}

Read read_torchtitan(std::string_view text, const std::string& source, const Assignment& model) {
  const PythonLiterals literals(text, source);
  const std::vector<std::string> parts = literals.names("FQNS");
  Findings findings;
  const bool none = literals.has("CONVERTER") && literals.text("CONVERTER", "").empty();
  if (none) return {policy_of_layers(model, {}, {}), std::nullopt, findings.list()};
  const LayerRecipe& recipe = titan_recipes()[recipe_of(literals, titan_recipes())];
  const Paths taken = converted(model, parts);
  if (taken.empty()) findings.add(Finding::Kind::kNote, "FQNS match no linear layer of the model");
  return {policy_of_layers(model, recipe.products, taken), std::nullopt, findings.list()};
}

}  // namespace

Target torchtitan_target() {
  return {.name = "torchtitan",
          .title = "torchtitan converters",
          .suffix = ".torchtitan.py",
          .doc = "A Python file with the converter of linear layers and parts of their names; for torchtitan of 2026.",
          .write = write_torchtitan,
          .read = read_torchtitan};
}

}  // namespace binade::targets
