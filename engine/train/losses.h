// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"
#include "engine/train/batches.h"
#include "engine/wire/run_config.h"

#include <span>
#include <string>
#include <vector>

namespace binade::train {

/// One loss as a small TorchScript text, so that its ops are sites with the path `loss`, or `loss.<n>` of several,
/// under the policy like all others.
class Loss {
 public:
  /// `data` says whether the target holds labels. Throws Error{kBadRun} naming the loss: text that does not compile,
  /// with its line, or that takes other arguments than outputs and a target.
  Loss(const wire::LossConfig& config, const std::string& path, int first_site, const BatchSource& data);

  const wire::LossConfig& config() const { return config_; }
  const graph::FlatGraph& graph() const { return graph_; }
  bool takes_target() const { return takes_target_; }
  /// Compares classes: accuracy can be counted.
  bool classifies() const { return classifies_; }
  /// The paths of the outputs that it takes, in its order.
  const std::vector<std::string>& outputs() const { return outputs_; }

  /// A 0-dim tensor, not weighted. `output` is what forward returned. Throws Error{kBadRun} for an output that is not
  /// there or a result that is no single number, Error{kBadData} for a target of another shape than the output that it
  /// is compared with, element by element.
  at::Tensor operator()(const c10::IValue& output, const Batch& batch, std::span<graph::SiteHook* const> hooks);

 private:
  wire::LossConfig config_;
  std::string path_;
  std::vector<std::string> outputs_;
  graph::FlatGraph graph_;
  bool takes_target_;
  bool classifies_;
  bool numbers_;  ///< whole numbers in the target become floating-point ones
};

/// The losses of a run, their sites counted on from `first_site`. Throws as Loss.
std::vector<Loss> make_losses(const wire::RunConfig& config, int first_site, const BatchSource& data);

}  // namespace binade::train
