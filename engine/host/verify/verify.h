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
  std::function<graph::Model()> load;  ///< called once for each of the two copies
  /// Must return the same for both copies; negative steps are warm-ups.
  std::function<std::vector<c10::IValue>(int step)> inputs;
  std::function<std::vector<at::Tensor>(const c10::IValue&)> outputs;  ///< outputs that make the loss and are compared
  bool train = true;
  c10::Device device{c10::kCPU};  ///< both copies are moved there; `inputs` must return tensors there
  /// Run under LibTorch's own autocast for `device` to this dtype, and the engine under its list for that device.
  std::optional<at::ScalarType> autocast;
  policy::Behaviour behaviour = policy::Behaviour::kFixed;  ///< behaviour of the engine; default as in a run
  std::uint64_t seed = 7;
  int steps = 1;
  graph::SiteHook* planted = nullptr;  ///< hook run in the engine alone, to show that a difference is found
};

/// Result of a comparison. Differences are the largest absolute ones over all steps. NaN equals only NaN of the same
/// bits.
struct VerifyReport {
  bool identical = true;
  int steps = 0;
  double loss = 0;  ///< LibTorch's loss of the last step
  double outputs = 0;
  double gradients = 0;
  int gradients_compared = 0;  ///< parameters that got a gradient in the last step
  double parameters = 0;
  double buffers = 0;
  int sites = 0;
  int executed = 0;
  /// Sentence on what differed first, and the first call whose output or output gradient differed.
  std::string first_difference;
  bool reference_repeats = true;  ///< after a difference: whether LibTorch's own run is reproducible there
};

/// Returns every tensor in the result of forward, through tuples, lists and dictionaries, in order.
std::vector<at::Tensor> tensors_of(const c10::IValue& output);

/// Trains two copies side by side and compares every bit after every step. One copy runs in the engine, with a policy
/// that casts nothing or the list of the device. The other runs through Module::forward without the optimising
/// executor; models that fork or have autocast blocks of their own, which TorchScript ignores, run as a flat graph.
/// All-zero parameters are drawn anew and batch norms warmed up first, so that the comparison is not vacuous. Throws
/// Error{kBadModel} if no op call ran or a loss is not finite.
VerifyReport verify(const VerifyOptions& options);

}  // namespace binade::host
