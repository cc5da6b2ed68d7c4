// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::host {

/// Records which autograd nodes each op call created, by sequence number. Must be the outermost hook.
class NodesOfCalls : public graph::SiteHook {
 public:
  void before(graph::Call& call) override;
  void after(graph::Call& call) override;

  /// Returns the op call that created a node, or null if it was created outside of all calls.
  const graph::Site* made(std::uint64_t node) const;

 private:
  struct Range {
    std::uint64_t first;
    std::uint64_t end;
    const graph::Site* site;
  };
  std::vector<Range> calls_;  ///< in execution order
};

/// While it lives, records the autograd nodes that this thread's backward starts. After an exception, last() is the
/// node that threw.
class NodeWatch {
 public:
  NodeWatch();
  ~NodeWatch();
  NodeWatch(const NodeWatch&) = delete;
  NodeWatch& operator=(const NodeWatch&) = delete;

  /// Returns the sequence number of the node started last on this thread, or nullopt if none was.
  std::optional<std::uint64_t> last() const;

 private:
  std::uint64_t callback_;
};

}  // namespace binade::host
