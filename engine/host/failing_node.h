// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::host {

/// Notes which autograd nodes each op call made, by their numbers. To stand outside of all other hooks.
class NodesOfCalls : public graph::SiteHook {
 public:
  void before(graph::Call& call) override;
  void after(graph::Call& call) override;

  /// The op call that made a node; null for what was made outside of all calls.
  const graph::Site* made(std::uint64_t node) const;

 private:
  struct Range {
    std::uint64_t first;
    std::uint64_t end;
    const graph::Site* site;
  };
  std::vector<Range> calls_;  ///< in the order in which they ran
};

/// While it lives, notes each autograd node that this thread's backward begins: where that throws, the last one did.
class NodeWatch {
 public:
  NodeWatch();
  ~NodeWatch();
  NodeWatch(const NodeWatch&) = delete;
  NodeWatch& operator=(const NodeWatch&) = delete;

  std::optional<std::uint64_t> last() const;

 private:
  std::uint64_t callback_;
};

}  // namespace binade::host
