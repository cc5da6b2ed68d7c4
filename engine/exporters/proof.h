// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"
#include "engine/policy/resolve.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::exporters {

/// How far an exported file is from the engine. Differences are the largest absolute ones, over train mode, eval mode,
/// and eval mode without gradients.
struct Proof {
  bool identical = true;  ///< every bit and dtype of outputs, gradients and buffers
  double outputs = 0;
  double gradients = 0;
  double buffers = 0;
  int gradients_compared = 0;
  std::string first_difference;  ///< names the first thing that differs
};

/// Runs forward and backward of `model` through the engine under `table`, and of `exported` by TorchScript alone with
/// its optimisation off, on copies, with the same inputs and random numbers, in train and in eval mode, and forward
/// alone in eval mode without gradients. All-zero parameters are drawn anew first, so that nothing is compared with
/// nothing.
Proof prove(const graph::Model& model, const std::shared_ptr<const policy::Resolved>& table,
            const graph::Model& exported, const std::vector<std::vector<c10::IValue>>& inputs, std::uint64_t seed);

/// Trains a copy of `exported` for some steps with TorchScript's optimising executor, as whoever opens the file will:
/// where that fails, its reason; else empty. Implicit promotions make it fail from the third step on.
std::string train_by_executor(const graph::Model& exported, const std::vector<c10::IValue>& inputs, int steps,
                              std::uint64_t seed);

}  // namespace binade::exporters
