// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exporters/finding.h"
#include "engine/graph/model.h"
#include "engine/policy/resolve.h"

#include <memory>
#include <vector>

namespace binade::exporters {

/// A model with its casts written into it.
struct Baked {
  graph::Model model;  ///< an ordinary TorchScript module; shares nothing with what it was made of
  std::shared_ptr<const policy::Resolved> table;  ///< what it carries out: the policy's, or the nearest to it
  std::vector<Finding> findings;
  int casts = 0;      ///< `aten::to` nodes
  int looked_at = 0;  ///< places where a dtype is looked at when the model runs
  int executed = 0;   ///< op calls that ran with the inputs
  int sites = 0;

  /// Whether the model does all that the policy says.
  bool exact() const;
};

/// Writes the casts that Autocast makes under `resolved` into a copy of `model`, as `aten::to` nodes: an ordinary
/// TorchScript module with the parameters and buffers of the original, whose `forward` is the flat graph. Dtypes are
/// seen on `inputs` (one list of forward's arguments each), in train and eval mode, with and without gradients; what
/// did not run, or where calls disagree, looks at its arguments' dtypes when it runs. Implicit promotions become casts,
/// so that TorchScript's optimising executor can train the file. What TorchScript cannot express becomes the nearest it
/// can, and a finding. `resolved` is for the sites of this model. Throws what running the model throws,
/// Error{kBadPolicy} for a table of another model, Error{kBadModel} for what cannot be written at all.
Baked bake(const graph::Model& model, const policy::Resolved& resolved,
           const std::vector<std::vector<c10::IValue>>& inputs);

}  // namespace binade::exporters
