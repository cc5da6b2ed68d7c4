// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/specialise.h"

#include "engine/autocast/emulation.h"

namespace binade::autocast {

void fit(policy::Decision& decision, const graph::OpTraits& op) {
  if (op.view && !op.in_place) {
    decision.kind = policy::Decision::Kind::kLeave;
    decision.execution = policy::Execution::kNative;
  } else if (!is_matrix_op(op.op)) {
    decision.execution = policy::Execution::kNative;
  }
}

void specialise(policy::Resolved& resolved, std::span<const graph::Site* const> sites) {
  for (std::size_t i = 0; i < sites.size(); ++i) fit(resolved.sites[i], *sites[i]);
  for (auto& [place, decision] : resolved.calls) fit(decision, *sites[static_cast<std::size_t>(place.first)]);
}

policy::Resolved resolve_for(const policy::Policy& policy, std::span<const graph::Site* const> sites,
                             const policy::Capabilities& capabilities) {
  std::vector<policy::SiteKey> keys;
  keys.reserve(sites.size());
  for (const graph::Site* site : sites) keys.push_back(site->key);
  policy::Resolved resolved = policy::resolve(policy, keys, capabilities);
  specialise(resolved, sites);
  return resolved;
}

}  // namespace binade::autocast
