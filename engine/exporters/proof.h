// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"
#include "engine/policy/resolve.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::exporters {

/// Comparison of an exported file with the engine. Differences are the largest absolute ones over train mode, eval
/// mode, and eval mode without gradients.
struct Proof {
  bool identical = true;  ///< all bits and dtypes of outputs, gradients and buffers match
  double outputs = 0;
  double gradients = 0;
  double buffers = 0;
  int gradients_compared = 0;
  std::string first_difference;  ///< name of the first tensor that differs
};

/// Compares `model`, run by the engine under `table`, with `exported`, run by TorchScript without optimisation. Runs
/// forward and backward on copies, with the same inputs and random numbers, in train and eval mode, and forward alone
/// in eval mode without gradients. All-zero parameters are redrawn first, since they would make gradients vanish.
/// Throws Error if a backward fails or the numbers of outputs differ. The export command proves a file before the file
/// gets its name.
Proof prove(const graph::Model& model, const std::shared_ptr<const policy::Resolved>& table,
            const graph::Model& exported, const std::vector<std::vector<c10::IValue>>& inputs, std::uint64_t seed);

/// Trains a copy of `exported` for `steps` steps with TorchScript's optimising executor, as users of the file will.
/// Returns the reason if a step fails, else an empty string. Implicit promotions fail from the third step on. Throws
/// Error if memory runs out.
std::string train_by_executor(const graph::Model& exported, const std::vector<c10::IValue>& inputs, int steps,
                              std::uint64_t seed);

}  // namespace binade::exporters
