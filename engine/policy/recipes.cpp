// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/recipes.h"

#include <algorithm>
#include <array>

namespace binade::policy {

namespace {

struct Recipe {
  std::string_view name;
  std::string_view forward;
  std::string_view gradients;  ///< format of grad_input and grad_weight
  Rounding rounding;
  Transform transform;
  std::string_view brief;
};

constexpr std::array kRecipes{
    Recipe{"mxfp8", "mxfp8", "mxfp8", Rounding::kNearest, Transform::kNone,
           "MXFP8: blocks of 32 values in E4M3 share a power of two."},
    Recipe{"nvfp4", "nvfp4", "nvfp4", Rounding::kStochastic, Transform::kHadamard,
           "NVFP4: blocks of 16 values in E2M1, stochastic rounding of gradients, Hadamard transform."},
    Recipe{"fp8-current", "fp8_current", "fp8_current_e5m2", Rounding::kNearest, Transform::kNone,
           "FP8, one scale per tensor from its largest magnitude: E4M3 forward, E5M2 gradients."},
    Recipe{"fp8-delayed", "fp8_delayed", "fp8_delayed_e5m2", Rounding::kNearest, Transform::kNone,
           "FP8, one scale per tensor from earlier steps: E4M3 forward, E5M2 gradients."},
    Recipe{"fp8-block", "fp8_block", "fp8_block", Rounding::kNearest, Transform::kNone,
           "FP8 in E4M3: blocks of 1×128 activations and gradients and of 128×128 weights share a scale."},
};

const Recipe* find(std::string_view name) {
  const auto found =
      std::find_if(kRecipes.begin(), kRecipes.end(), [name](const Recipe& each) { return each.name == name; });
  return found == kRecipes.end() ? nullptr : &*found;
}

/// Matches of the rules: every call of `linear`, and every convolution.
constexpr std::array kMatches{"*aten::linear#*", "*aten::*conv*#*"};

Policy made(const Recipe& from) {
  Policy policy;
  policy.name = from.name;
  policy.base = Base::kCudaAmp;
  policy.low = formats::kBFloat16;
  for (const char* match : kMatches) {
    SiteRule& rule = policy.sites.emplace_back();
    rule.match = match;
    rule.format = formats::kBFloat16;
    rule.products.forward = parse_operand(from.forward);
    rule.products.grad_input = rule.products.grad_weight = parse_operand(from.gradients);
    rule.products.rounding = from.rounding;
    rule.products.transform = from.transform;
  }
  return policy;
}

}  // namespace

const std::vector<std::string>& recipe_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Recipe& each : kRecipes) all.emplace_back(each.name);
    return all;
  }();
  return names;
}

std::optional<Policy> recipe(std::string_view name) {
  const Recipe* const found = find(name);
  return found == nullptr ? std::nullopt : std::optional(made(*found));
}

std::string recipe_brief(std::string_view name) {
  const Recipe* const found = find(name);
  return found == nullptr ? std::string() : std::string(found->brief);
}

bool is_of_recipe(const SiteRule& rule) {
  if (std::find(kMatches.begin(), kMatches.end(), rule.match) == kMatches.end()) return false;
  return std::any_of(kRecipes.begin(), kRecipes.end(), [&rule](const Recipe& each) {
    const Policy policy = made(each);
    return std::find(policy.sites.begin(), policy.sites.end(), rule) != policy.sites.end();
  });
}

}  // namespace binade::policy
