// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/stated_differences.h"

#include "engine/policy/decision_text.h"
#include "engine/targets/proof.h"

#include <algorithm>
#include <set>
#include <utility>

namespace binade::targets {

void declare_differences(const Assignment& assignment, const policy::Policy& stated,
                         const std::function<std::string(std::size_t site)>& reason, Findings& findings) {
  constexpr auto kInexpressible = Finding::Kind::kInexpressible;
  const policy::Resolved table =
      policy::resolve(stated, assignment.keys, assignment.table.capabilities, assignment.places);
  const bool has_products = std::any_of(table.sites.begin(), table.sites.end(),
                                        [](const policy::Decision& decision) { return !decision.products.empty(); });
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    const policy::Decision& wanted = assignment.table.sites[i];
    if (assignment.is_view(i) || same_treatment(wanted, table.sites[i])) continue;
    const bool lost = !wanted.products.empty() && !has_products;
    findings.add(
        kInexpressible,
        (lost ? "the file has no formats of products (" + policy::products_text(wanted.products) + ")" : reason(i)) +
            ": \"" + policy::decision_text(wanted) + "\" becomes \"" + policy::decision_text(table.sites[i]) + "\"",
        assignment.keys[i].name());
  }
  std::set<std::pair<int, int>> calls;  // in either table
  for (const auto& [call, decision] : assignment.table.calls) calls.insert(call);
  for (const auto& [call, decision] : table.calls) calls.insert(call);
  for (const auto& [site, call] : calls) {
    if (assignment.is_view(static_cast<std::size_t>(site))) continue;
    if (same_treatment(assignment.table.decision_for(site, call), table.decision_for(site, call))) continue;
    findings.add(kInexpressible, "a rule for a single execution: every execution is treated like the others",
                 assignment.keys[static_cast<std::size_t>(site)].name());
  }
}

}  // namespace binade::targets
