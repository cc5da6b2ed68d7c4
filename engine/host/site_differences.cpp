// SPDX-License-Identifier: Apache-2.0
#include "engine/host/site_differences.h"

#include "engine/host/decision_text.h"

#include <set>

namespace binade::host {

namespace {

/// Whether two decisions come to the same. Where a base casts nothing its ops are left alone until a rule makes
/// something lower; then they follow, which is the same where nothing lower arrives.
bool same(policy::Decision a, policy::Decision b) {
  for (policy::Decision* each : {&a, &b}) {
    if (each->kind == policy::Decision::Kind::kLeave) each->kind = policy::Decision::Kind::kFollow;
  }
  return decision_text(a) == decision_text(b);
}

}  // namespace

std::vector<SiteDifference> site_differences(const ModelSites& model, const policy::Policy& first,
                                             const policy::Policy& second) {
  const policy::Resolved a = model.resolve(first);
  const policy::Resolved b = model.resolve(second);
  std::vector<SiteDifference> all;
  for (std::size_t i = 0; i < model.keys().size(); ++i) {
    const int site = static_cast<int>(i);
    const policy::SiteKey& key = model.keys()[i];
    const auto look = [&](std::optional<int> call, const policy::Decision& in_a, const policy::Decision& in_b) {
      if (same(in_a, in_b)) return;
      all.push_back({key, call, in_a, in_b, decided_by(first, key, in_a), decided_by(second, key, in_b)});
    };
    look(std::nullopt, a.sites[i], b.sites[i]);
    std::set<int> single;
    for (const policy::Resolved* each : {&a, &b}) {
      for (auto at = each->calls.lower_bound({site, 0}); at != each->calls.end() && at->first.first == site; ++at) {
        single.insert(at->first.second);
      }
    }
    for (const int call : single) look(call, a.decision_for(site, call), b.decision_for(site, call));
  }
  return all;
}

}  // namespace binade::host
