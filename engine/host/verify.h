// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"
#include "engine/graph/site_hook.h"
#include "engine/policy/policy.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace binade::host {

struct VerifyOptions {
  std::function<graph::Model()> load;                                  ///< called for each of the two copies
  std::function<std::vector<c10::IValue>(int step)> inputs;            ///< the same for both copies
  std::function<std::vector<at::Tensor>(const c10::IValue&)> outputs;  ///< which outputs make the loss and are compared
  bool train = true;
  std::optional<at::ScalarType> autocast;  ///< under LibTorch's own CPU autocast to this dtype, and our cpu-amp list
  policy::Behaviour behaviour = policy::Behaviour::kFixed;  ///< of the engine; a run's default
  std::uint64_t seed = 7;
  int steps = 1;
  graph::SiteHook* planted = nullptr;  ///< runs in the engine alone: shows that a difference is found
};

/// How far the engine is from native. Differences are the largest absolute ones over all steps; NaN equals NaN of the
/// same bits, nothing else is forgiven.
struct VerifyReport {
  bool identical = true;
  int steps = 0;
  double loss = 0;  ///< of the last step, native
  double outputs = 0;
  double gradients = 0;
  int gradients_compared = 0;  ///< parameters that got one in the last step
  double parameters = 0;
  double buffers = 0;
  int sites = 0;
  int executed = 0;
  std::string first_difference;   ///< what differed first, and the first call whose output or its gradient did
  bool reference_repeats = true;  ///< where something differed: whether LibTorch's own run repeats itself there
};

/// Every tensor in what forward returned: through tuples, lists and dictionaries, in their order.
std::vector<at::Tensor> tensors_of(const c10::IValue& output);

/// Trains two copies side by side, one through the engine with a policy that casts nothing (or the cpu-amp list), one
/// through Module::forward with the executor's optimisation off (the flat graph where the model forks or has autocast
/// blocks of its own, which TorchScript ignores), and compares every bit after every step. All-zero
/// parameters are drawn anew and batch norms warmed up first, so that it cannot pass on nothing. Throws
/// Error{kBadModel} where no op call ran or a loss is not finite.
VerifyReport verify(const VerifyOptions& options);

}  // namespace binade::host
