// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/inner_reach.h"

#include "engine/policy/composite_calls.h"
#include "engine/policy/inner_calls.h"
#include "engine/policy/inner_differences.h"
#include "engine/policy/op_lists.h"

#include <algorithm>

namespace binade::policy {

namespace {

bool is_left_alone(const Decision& decision) {
  return decision.rule == kFromBase &&
         (decision.kind == Decision::Kind::kFollow || decision.kind == Decision::Kind::kLeave);
}

bool some_list_names(std::string_view op) {
  return rule_for(Base::kCudaAmp, op, {}) != CastRule::kNone || rule_for(Base::kCpuAmp, op, {}) != CastRule::kNone;
}

/// The table of kernels has only the calls that PyTorch's lists name. Other calls are unknown.
bool kernel_may_call(const InnerCalls& kernel, std::string_view op) {
  return !some_list_names(op) || calls_op(kernel, op);
}

bool may_call(const SiteKey& site, const SitePlace& place, std::string_view op) {
  if (place.view) return false;
  if (!site.op.starts_with("aten::") && !site.op.starts_with("prim::")) return true;
  if (const InnerCalls* const kernel = inner_calls_of(site.op, site.overload)) return kernel_may_call(*kernel, op);
  return place.inside && composite_may_call(site.op, op);
}

/// Whether every op through which an op call runs `op` has a treatment of its own. No rule applies inside these.
bool is_shielded(const SiteKey& site, std::string_view op, const Resolved& table, const Decision& decision) {
  const std::span<const std::string_view> carriers = composite_carriers(site.op, op);
  return !carriers.empty() && std::all_of(carriers.begin(), carriers.end(), [&](std::string_view carrier) {
    const Decision::Kind kind = treatment_inside(table, decision, std::string(carrier)).kind;
    return kind != Decision::Kind::kFollow && kind != Decision::Kind::kLeave;
  });
}

}  // namespace

bool op_change_reaches_inside(std::string_view op, const SiteKey& site, const SitePlace& place, const Resolved& table,
                              const Decision& decision) {
  const std::string_view name = op.substr(0, op.find('.'));
  return is_left_alone(decision) && may_call(site, place, name) && !is_shielded(site, name, table, decision);
}

bool op_change_reaches_inside(std::string_view op, std::span<const SiteKey> sites, std::span<const SitePlace> places,
                              const Resolved& table) {
  if (places.empty()) return true;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (op_change_reaches_inside(op, sites[i], places[i], table, table.sites[i])) return true;
  }
  return false;
}

}  // namespace binade::policy
