// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/batches.h"
#include "engine/graph/flat_graph.h"
#include "engine/wire/run_config.h"

#include <span>
#include <string>
#include <vector>

namespace binade::train {

/// A loss as a small TorchScript text. Its ops are sites with the path `loss`, or `loss.<n>` if there are several, and
/// are subject to the policy like all others.
class Loss {
 public:
  /// `data` determines whether the target holds labels. Throws Error{kBadRun}, naming the loss, for text that does not
  /// compile (with its line) or that takes other arguments than outputs and a target.
  Loss(const wire::LossConfig& config, const std::string& path, int first_site, const batches::BatchSource& data);

  const wire::LossConfig& config() const { return config_; }
  const graph::FlatGraph& graph() const { return graph_; }
  bool takes_target() const { return takes_target_; }
  /// Compares classes, so that accuracy can be computed.
  bool classifies() const { return classifies_; }
  /// Paths of the outputs that it takes, in its order.
  const std::vector<std::string>& outputs() const { return outputs_; }

  /// Returns a 0-dim tensor, not weighted. `output` is the result of forward. Throws Error{kBadRun} for a missing
  /// output or a result that is not a single number, Error{kBadData} for a target whose shape differs from the output's
  /// in an element-wise comparison.
  at::Tensor operator()(const c10::IValue& output, const batches::Batch& batch,
                        std::span<graph::SiteHook* const> hooks);

 private:
  wire::LossConfig config_;
  std::string path_;
  std::vector<std::string> outputs_;
  graph::FlatGraph graph_;
  bool takes_target_;
  bool classifies_;
  bool numbers_;  ///< integers in the target are converted to floating point
};

/// Creates the losses of a run, with site numbers from `first_site` on. Throws like Loss.
std::vector<Loss> make_losses(const wire::RunConfig& config, int first_site, const batches::BatchSource& data);

}  // namespace binade::train
