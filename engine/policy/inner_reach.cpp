// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/inner_reach.h"

#include "engine/policy/inner_calls.h"

namespace binade::policy {

namespace {

/// Whether an op call that its base list leaves alone runs ops that some list may name.
bool may_call_others(const SiteKey& key, const SitePlace& place) {
  if (place.inside) return true;
  if (!key.op.starts_with("aten::") && !key.op.starts_with("prim::")) return true;
  return inner_calls_of(key.op, key.overload) != nullptr;
}

bool is_left_alone(const Decision& decision) {
  return decision.rule == kFromBase &&
         (decision.kind == Decision::Kind::kFollow || decision.kind == Decision::Kind::kLeave);
}

}  // namespace

bool op_changes_reach_inside(std::span<const SiteKey> sites, std::span<const SitePlace> places, const Resolved& table) {
  if (places.empty()) return true;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (is_left_alone(table.sites[i]) && may_call_others(sites[i], places[i])) return true;
  }
  return false;
}

}  // namespace binade::policy
