// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/site_plans.h"

#include "engine/exporters/site_nodes.h"
#include "engine/graph/dtype_format.h"
#include "engine/graph/inliner.h"
#include "engine/graph/own_blocks.h"
#include "engine/graph/wrapped_nodes.h"

#include <set>
#include <unordered_map>

namespace binade::exporters {

namespace jit = torch::jit;

using Action = autocast::Plan::Action;

SitePlans::SitePlans(const graph::FlatGraph& flat, const policy::Resolved& table)
    : flat_(flat), table_(table), edited_(autocast::is_edited(table)) {}

autocast::Plan SitePlans::of(std::size_t site) const {
  const policy::Decision& decision = table_.sites[site];
  return autocast::plan_for(table_.lists_of(decision), decision, *flat_.sites()[site], edited_);
}

UncertainDtypes::CastsTo SitePlans::casts_to(jit::Graph& graph) const {
  std::unordered_map<const jit::Node*, at::ScalarType> fixed;
  std::size_t site = 0;
  each_node(graph.block(), [&](jit::Node* node) {
    if (graph::mark_of(*node).block != nullptr || !graph::is_site(*node)) return;
    const autocast::Plan plan = of(site);
    const bool casts = plan.action == Action::kCast && !flat_.sites()[site]->in_place;
    ++site;
    if (casts) fixed.emplace(node, plan.precision.dtype);
  });
  return [fixed = std::move(fixed)](const jit::Node& node) {
    const auto found = fixed.find(&node);
    return found == fixed.end() ? std::nullopt : std::optional(found->second);
  };
}

std::vector<at::ScalarType> SitePlans::dtypes() const {
  std::set<at::ScalarType> all{at::kFloat};
  for (std::size_t i = 0; i < flat_.sites().size(); ++i) {
    const autocast::Plan plan = of(i);
    if (plan.action == Action::kCast) all.insert(plan.precision.dtype);
    const at::ScalarType low = graph::dtype_of(table_.lists_of(table_.sites[i]).low);
    if (plan.inside && low != at::ScalarType::Undefined) all.insert(low);
  }
  return {all.begin(), all.end()};
}

bool keeps_casts(const policy::OwnBlock* block) {
  for (; block != nullptr; block = block->outer) {
    if (block->cache_enabled) return *block->cache_enabled;
  }
  return true;
}

}  // namespace binade::exporters
