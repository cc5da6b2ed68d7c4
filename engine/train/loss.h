// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"

#include <span>
#include <string>

namespace binade::train {

/// A loss as a small TorchScript text, so that its ops are sites with the path `loss`, under the policy like all
/// others.
class Loss {
 public:
  /// `cross_entropy` (mean over examples; target: int64 classes) or `mse` (mean square of the output).
  /// Throws Error{kBadRun} for another name.
  Loss(const std::string& kind, int first_site);

  const graph::FlatGraph& graph() const { return graph_; }
  bool takes_target() const { return takes_target_; }

  /// A 0-dim tensor.
  at::Tensor operator()(const at::Tensor& output, const at::Tensor& target, std::span<graph::SiteHook* const> hooks);

 private:
  bool takes_target_;
  graph::FlatGraph graph_;
};

}  // namespace binade::train
