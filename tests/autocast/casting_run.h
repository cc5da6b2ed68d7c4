// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/graph/flat_graph.h"

#include <memory>
#include <string>
#include <vector>

namespace binade::test {

/// A graph with a policy, run as training runs it: casts on the way, the cache dropped at the end.
class CastingRun {
 public:
  CastingRun(graph::FlatGraph flat, const policy::Policy& policy, autocast::Eligible device = {})
      : flat_(std::move(flat)), casts_(device) {
    set(policy);
  }
  /// `text` defines f.
  CastingRun(const std::string& text, const policy::Policy& policy, autocast::Eligible device = {})
      : CastingRun(graph::FlatGraph::from_text(text, "f", "m", 0), policy, device) {}

  void set(const policy::Policy& policy) {
    std::vector<policy::SiteKey> keys;
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat_.sites()) {
      keys.push_back(site->key);
      sites.push_back(site.get());
    }
    auto resolved = std::make_shared<policy::Resolved>(policy::resolve(policy, keys, {}));
    autocast::resolve_executions(*resolved, sites);
    casts_.set_policy(resolved);
  }

  c10::IValue run(std::vector<c10::IValue> inputs) {
    struct End {
      autocast::Autocast& casts;
      ~End() { casts.end(); }
    } end{casts_};
    casts_.begin();
    graph::SiteHook* hooks[] = {&casts_};
    return flat_.run(std::move(inputs), hooks);
  }

  graph::FlatGraph& flat() { return flat_; }
  autocast::Autocast& casts() { return casts_; }
  const std::vector<policy::Finding>& findings() const { return casts_.policy().findings; }
  const policy::Decision& decision(std::size_t site) const { return casts_.policy().sites[site]; }

 private:
  graph::FlatGraph flat_;
  autocast::Autocast casts_;
};

/// The lists of a device as PyTorch runs them.
inline policy::Policy stock(policy::Base base, formats::Format low,
                            policy::Execution execution = policy::Execution::kNative) {
  policy::Policy policy;
  policy.base = base;
  policy.low = low;
  policy.execution = execution;
  policy.behaviour = policy::Behaviour::kPyTorch211;
  return policy;
}

}  // namespace binade::test
