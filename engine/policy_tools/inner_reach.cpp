// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/inner_reach.h"

#include "engine/policy/inner_reach.h"
#include "engine/policy/op_lists.h"

#include <algorithm>
#include <span>

namespace binade::policy_tools {

namespace {

using policy::Base;
using policy::CastRule;

/// Ops that are made of others but marked as not `inside`: they call ops that no list names, or only forms of
/// themselves.
constexpr std::string_view kPartsOfSimpleOps[] = {"dropout", "pool", "norm", "pad", "upsample", "stack", "cat"};

bool is_listed(std::string_view op) {
  for (const Base base : {Base::kCudaAmp, Base::kCpuAmp}) {
    const CastRule rule = policy::rule_for(base, op, {});
    if (rule == CastRule::kLower || rule == CastRule::kFloat32) return true;
  }
  return false;
}

/// Whether dropouts, poolings and similar ops never call `op`.
bool is_foreign_to_simple_ops(std::string_view op) {
  for (const std::string_view part : kPartsOfSimpleOps) {
    if (op.find(part) != std::string_view::npos && op != "aten::layer_norm") return false;
  }
  return is_listed(op);
}

}  // namespace

bool may_run_inside(std::string_view op, const ModelCalls& model, const Tables& tables) {
  if (!is_foreign_to_simple_ops(op)) return true;
  const std::span<const policy::SiteKey> keys(model.keys.data(), model.size());
  return std::any_of(tables.begin(), tables.end(), [&](const policy::Resolved& table) {
    return policy::op_change_reaches_inside(op, keys, model.places, table);
  });
}

bool rules_have_no_effect(const ModelCalls& model, std::size_t site) {
  // The one view that a list casts.
  return !model.places.empty() && model.places[site].view && model.keys[site].op != "aten::view_as_complex";
}

}  // namespace binade::policy_tools
