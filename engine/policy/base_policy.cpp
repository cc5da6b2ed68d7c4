// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/base_policy.h"

#include "engine/policy/near_name.h"
#include "engine/policy/recipes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace binade::policy {

std::optional<Policy> base_policy(std::string_view name) {
  const std::optional<Base> base = parse_base(name);
  if (!base) return recipe(name);
  Policy policy;
  policy.base = *base;
  policy.low = *base == Base::kCpuAmp ? formats::kBFloat16 : formats::kFloat16;
  return policy;
}

Policy float32_throughout() {
  Policy policy;
  policy.base = Base::kAllFloat32;
  SiteRule& all = policy.sites.emplace_back();
  constexpr char kAny = '*';  // GCC 12 warns about an overlap if a string is assigned
  all.match.push_back(kAny);  // a rule for every site also overrides the model's own autocast blocks
  all.format = formats::kFloat32;
  return policy;
}

bool has_products(const Policy& policy) {
  return std::any_of(policy.sites.begin(), policy.sites.end(),
                     [](const SiteRule& rule) { return !rule.products.empty(); });
}

Policy without_products(Policy policy) {
  for (SiteRule& rule : policy.sites) rule.products = {};
  return policy;
}

std::string names_of_policies() {
  return "A policy is a policy file, the name of a base list: cuda-amp, cpu-amp, apex-o0 to apex-o3, all-float32, or "
         "the name of a recipe: mxfp8, nvfp4, fp8-current, fp8-delayed, fp8-block.";
}

std::string hint_on_base(std::string_view text) {
  std::vector<std::string> names;
  for (const Base base :
       {Base::kCudaAmp, Base::kCpuAmp, Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3, Base::kAllFloat32}) {
    names.push_back(name(base));
  }
  names.insert(names.end(), recipe_names().begin(), recipe_names().end());
  return did_you_mean(text, names) + names_of_policies();
}

}  // namespace binade::policy
