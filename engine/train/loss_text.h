// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::train {

/// What a loss compares the output with.
enum class TargetKind : unsigned char {
  kNone,
  kLabels,  ///< integers: classes
  kNumbers,
};

/// Returns a standard loss as TorchScript, in which each op is a site: `def loss(output: Tensor, target: Tensor) ->
/// Tensor`. The mean square without a target takes the output alone; cosine_embedding takes two outputs. Results equal
/// LibTorch's with its default reduction, except kl_div, which averages over examples.
/// cross_entropy with labels has two forms, chosen by the policy in each step. Under the CPU's list it is the single op
/// cross_entropy_loss, which that list casts as a whole, otherwise the two ops of torch.nn.functional. Throws
/// Error{kBadRun} for an unknown name.
std::string loss_text(const std::string& kind, TargetKind target);

}  // namespace binade::train
