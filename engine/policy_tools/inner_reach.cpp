// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/inner_reach.h"

#include "engine/policy/inner_calls.h"
#include "engine/policy/op_lists.h"

#include <string>

namespace binade::policy_tools {

namespace {

using policy::Base;
using policy::CastRule;
using policy::Decision;

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

/// Whether an op call that its base list leaves alone runs ops that some list may name.
bool may_call_others(const policy::SiteKey& key, const policy::SitePlace& place) {
  if (place.inside) return true;
  if (!key.op.starts_with("aten::") && !key.op.starts_with("prim::")) return true;
  return policy::inner_calls_of(key.op, key.overload) != nullptr;
}

}  // namespace

bool may_run_inside(std::string_view op, const ModelCalls& model, const Tables& tables) {
  if (model.places.empty() || !is_foreign_to_simple_ops(op)) return true;
  for (std::size_t i = 0; i < model.size(); ++i) {
    for (const policy::Resolved& table : tables) {
      const Decision& decision = table.sites[i];
      const bool left_alone = decision.rule == policy::kFromBase &&
                              (decision.kind == Decision::Kind::kFollow || decision.kind == Decision::Kind::kLeave);
      if (left_alone && may_call_others(model.keys[i], model.places[i])) return true;
    }
  }
  return false;
}

bool rules_have_no_effect(const ModelCalls& model, std::size_t site, Base base) {
  if (policy::rows(base).empty()) return false;
  // The one view that a list casts.
  return !model.places.empty() && model.places[site].view && model.keys[site].op != "aten::view_as_complex";
}

}  // namespace binade::policy_tools
