// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/scaled_layers.h"

#include "engine/policy/finding_text.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/stated_differences.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace binade::targets {

namespace {

using policy::OperandFormat;
using policy::Product;
using policy::Products;

constexpr std::array kProducts{Product::kForward, Product::kGradInput, Product::kGradWeight};

bool is_scaled(const std::optional<OperandFormat>& format) {
  return format && std::holds_alternative<scaled::ScaledFormat>(*format);
}

bool is_scaled(const Products& products) {
  return std::any_of(kProducts.begin(), kProducts.end(),
                     [&](Product product) { return is_scaled(products.of(product)); });
}

/// How far the operands of a product are from another's. The order decides: the element first, then the blocks.
int distance(const std::optional<OperandFormat>& a, const std::optional<OperandFormat>& b) {
  if (a == b) return 0;
  if (!is_scaled(a) || !is_scaled(b)) return 1000;
  const auto& x = std::get<scaled::ScaledFormat>(*a);
  const auto& y = std::get<scaled::ScaledFormat>(*b);
  const int element = scaled::layout(x.element).bits() != scaled::layout(y.element).bits() ? 400 : 20;
  return (x.element == y.element ? 0 : element) + (x.scaling == y.scaling ? 0 : 100) + (x.block == y.block ? 0 : 100) +
         (x.scale == y.scale ? 0 : 5) + (x.rule == y.rule ? 0 : 5);
}

int distance(const Products& a, const Products& b) {
  int sum = (a.rounding == b.rounding ? 0 : 1) + (a.transform == b.transform ? 0 : 1);
  for (const Product product : kProducts) sum += distance(a.of(product), b.of(product));
  return sum;
}

/// The products of most layers; empty if no layer has a scaled format.
Products products_of_most(const std::map<std::string, Products>& layers) {
  Products best;
  std::ptrdiff_t most = 0;
  for (const auto& layer : layers) {
    const Products& products = layer.second;
    if (!is_scaled(products)) continue;
    const std::ptrdiff_t count =
        std::count_if(layers.begin(), layers.end(), [&](const auto& each) { return each.second == products; });
    if (count <= most) continue;
    most = count;
    best = products;
  }
  return best;
}

constexpr const char* kKept = "HIGH_PRECISION_LAYERS";

bool fits(const PythonLiterals& literals, const LayerRecipe& recipe) {
  return std::all_of(recipe.settings.begin(), recipe.settings.end(), [&](const auto& setting) {
    const std::string name(setting.first);
    if (!literals.has(name)) return true;
    if (setting.second == "True" || setting.second == "False") {
      return literals.flag(name, false) == (setting.second == "True");
    }
    return python_text(literals.text(name, "")) == setting.second;
  });
}

}  // namespace

Products products_in(std::string_view forward, std::string_view grad_input, std::string_view grad_weight) {
  const auto format = [](std::string_view name) {
    return name.empty() ? std::nullopt : std::optional(policy::parse_operand(name).value());
  };
  Products products;
  products.forward = format(forward);
  products.grad_input = format(grad_input);
  products.grad_weight = format(grad_weight);
  return products;
}

bool is_linear_layer(const policy::SiteKey& key) {
  return key.op == "aten::linear" && !key.path.empty();
}

std::set<std::string> linear_layers(const Assignment& model) {
  std::set<std::string> paths;
  for (const policy::SiteKey& key : model.keys) {
    if (is_linear_layer(key)) paths.insert(key.path);
  }
  return paths;
}

LayerPlan plan_layers(const Assignment& assignment, const std::vector<LayerRecipe>& recipes) {
  std::map<std::string, Products> layers;  // by module path
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    if (is_linear_layer(assignment.keys[i])) {
      layers.emplace(assignment.keys[i].path, assignment.table.sites[i].products);
    }
  }
  LayerPlan plan;
  for (const auto& [path, products] : layers) (is_scaled(products) ? plan.quantized : plan.kept).insert(path);
  if (plan.quantized.empty()) return plan;
  const Products wanted = products_of_most(layers);
  const auto nearest =
      std::min_element(recipes.begin(), recipes.end(), [&](const LayerRecipe& a, const LayerRecipe& b) {
        return distance(a.products, wanted) < distance(b.products, wanted);
      });
  plan.recipe = static_cast<std::size_t>(nearest - recipes.begin());
  return plan;
}

policy::Policy policy_of_layers(const Assignment& model, const Products& products,
                                const std::set<std::string>& quantized) {
  policy::Policy stated;
  stated.base = model.policy.base;
  stated.low = low_for_lists(model);
  for (const policy::SiteKey& key : model.keys) {
    if (!is_linear_layer(key) || !quantized.contains(key.path)) continue;
    policy::SiteRule rule;
    rule.match = key.name();
    rule.format = stated.low;
    rule.products = products;
    stated.sites.push_back(std::move(rule));
  }
  return stated;
}

std::string settings_text(const LayerRecipe& recipe) {
  std::string text;
  for (const auto& [name, value] : recipe.settings) text += std::string(name) + " = " + value + "\n";
  return text;
}

std::size_t recipe_of(const PythonLiterals& literals, const std::vector<LayerRecipe>& recipes) {
  const std::string variable(recipes.front().settings.front().first);
  const auto found =
      std::find_if(recipes.begin(), recipes.end(), [&](const LayerRecipe& recipe) { return fits(literals, recipe); });
  if (literals.has(variable) && found != recipes.end()) return static_cast<std::size_t>(found - recipes.begin());
  std::set<std::string> known;
  for (const LayerRecipe& recipe : recipes) known.insert(recipe.settings.front().second);
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  if (!literals.has(variable)) literals.fail(variable + " is missing", "It is one of " + names + ".");
  literals.fail("the variables from " + variable + " on choose no recipe that Binade computes",
                variable + " is one of " + names + ".");
}

void declare_layers(const Assignment& assignment, const policy::Policy& stated, const std::string& program,
                    const std::string& choice, Findings& findings) {
  findings.add(Finding::Kind::kNote, "the file concerns the products of linear layers; base list " +
                                         policy::name(assignment.policy.base) + " and low format " +
                                         formats::name(stated.low) + " are set in the program");
  const auto reason = [&](std::size_t site) {
    const policy::SiteKey& key = assignment.keys[site];
    if (!is_linear_layer(key)) return program + " quantizes linear layers only, not " + key.op;
    // With a list of layers, every layer can be left out.
    if (choice == kOneRecipe && !is_scaled(assignment.table.sites[site].products))
      return "a linear layer that " + program + " does not quantize runs as the base list says";
    return program + " " + choice;
  };
  declare_differences(assignment, stated, reason, findings);
}

Written write_exclusions(const Assignment& assignment, const std::vector<LayerRecipe>& recipes,
                         const std::string& program) {
  const LayerPlan plan = plan_layers(assignment, recipes);
  const LayerRecipe& recipe = recipes[plan.recipe];
  Findings findings;
  declare_layers(assignment, policy_of_layers(assignment, recipe.products, plan.quantized), program, kOneRecipe,
                 findings);
  return {settings_text(recipe) + kKept + " = " + python_list({plan.kept.begin(), plan.kept.end()}) + "\n",
          findings.list()};
}

Read read_exclusions(std::string_view text, const std::string& source, const Assignment& model,
                     const std::vector<LayerRecipe>& recipes) {
  const PythonLiterals literals(text, source);
  const LayerRecipe& recipe = recipes[recipe_of(literals, recipes)];
  std::set<std::string> quantized = linear_layers(model);
  std::vector<std::string> unknown;
  for (const std::string& name : literals.names(kKept)) {
    if (quantized.erase(name) == 0) unknown.push_back(name);
  }
  Findings findings;
  if (!unknown.empty()) {
    findings.add(Finding::Kind::kNote,
                 "listed names that are no linear layer of the model were left out: " + policy::first_of(unknown));
  }
  return {policy_of_layers(model, recipe.products, quantized), std::nullopt, findings.list()};
}

}  // namespace binade::targets
