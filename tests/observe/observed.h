// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/graph/flat_graph.h"
#include "engine/observe/observer.h"

#include <memory>
#include <string>
#include <vector>

namespace binade::test {

/// A graph run under a policy with an observer inside it, as training does.
struct Observed {
  graph::FlatGraph flat;
  autocast::Autocast casts;
  observe::Observer observer;
  std::shared_ptr<policy::Resolved> policy;

  Observed(const std::string& text, policy::Execution execution, formats::Format low = formats::kFloat16)
      : flat(graph::FlatGraph::from_text(text, "f", "m", 0)) {
    policy::Policy wanted;
    wanted.low = low;
    wanted.execution = execution;
    std::vector<policy::SiteKey> keys;
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat.sites()) {
      keys.push_back(site->key);
      sites.push_back(site.get());
    }
    policy = std::make_shared<policy::Resolved>(policy::resolve(wanted, keys, {}));
    autocast::resolve_executions(*policy, sites);
    casts.set_policy(policy);
  }

  at::Tensor forward(std::vector<c10::IValue> inputs, observe::Level level = observe::Level::kHistogram) {
    observer.begin(level);
    return again(std::move(inputs));
  }

  /// A further forward of the same step.
  at::Tensor again(std::vector<c10::IValue> inputs) {
    casts.begin();
    std::vector<graph::SiteHook*> hooks{&casts, &observer};
    at::Tensor result = flat.run(std::move(inputs), hooks).toTensor();
    casts.end();
    return result;
  }

  /// What was seen of a site, or nothing.
  const formats::TensorStats* find(const std::vector<observe::Seen>& seen, observe::Watched::Kind kind, int site,
                                   const std::string& argument = {}) const {
    for (const observe::Seen& each : seen) {
      const observe::Watched& watched = observer.watched()[static_cast<std::size_t>(each.tensor)];
      if (watched.kind == kind && watched.site == site && watched.argument == argument) return &each.stats;
    }
    return nullptr;
  }
};

}  // namespace binade::test
