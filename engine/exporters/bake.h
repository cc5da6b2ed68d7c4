// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"
#include "engine/policy/resolve.h"
#include "engine/targets/finding.h"

#include <memory>
#include <vector>

namespace binade::exporters {

/// A model with its casts written into it, and how it was made.
struct Baked {
  graph::Model model;                             ///< an ordinary TorchScript module; shares nothing with the original
  std::shared_ptr<const policy::Resolved> table;  ///< the table that the model implements: the policy's own, or the
                                                  ///< nearest expressible one
  std::vector<targets::Finding> findings;
  int casts = 0;      ///< number of `aten::to` nodes written
  int looked_at = 0;  ///< number of places that check a dtype at run time
  int executed = 0;   ///< number of op calls that ran with the inputs
  int sites = 0;

  /// Returns whether the model implements the whole policy: no finding is kInexpressible.
  bool exact() const;
};

/// Writes the casts that Autocast makes under `resolved` into a copy of `model`, as `aten::to` nodes. The result is an
/// ordinary TorchScript module with the parameters and buffers of the original, whose `forward` is the flat graph.
///
/// Dtypes are observed by running the model on `inputs` (one list of forward's arguments each) in train and eval mode,
/// with and without gradients. Op calls that did not run, or whose dtypes vary, check their arguments' dtypes at run
/// time. Implicit promotions become casts, so that TorchScript's optimising executor can train the file. What
/// TorchScript cannot express is replaced by the nearest it can, with a finding. `resolved` must belong to the sites of
/// `model`.
///
/// Throws Error{kBadPolicy} for a table of another model, Error{kBadModel} for a model that cannot be exported, and
/// whatever running the model throws.
Baked bake(const graph::Model& model, const policy::Resolved& resolved,
           const std::vector<std::vector<c10::IValue>>& inputs);

}  // namespace binade::exporters
