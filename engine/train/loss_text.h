// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::train {

/// What a loss compares the output with.
enum class TargetKind : unsigned char {
  kNone,
  kLabels,  ///< whole numbers: classes
  kNumbers,
};

/// A standard loss as TorchScript: each op in it is a site. `def loss(output: Tensor, target: Tensor) -> Tensor`, or of
/// the output alone for the mean square without numbers to compare with; cosine_embedding takes two outputs. The result
/// is LibTorch's own with its default reduction, but for kl_div, which is the mean over examples.
/// cross_entropy with labels has two forms, between which the policy in force chooses in every step: under the CPU's
/// list the one op cross_entropy_loss, which that list casts whole, else the two ops that torch.nn.functional makes of
/// it. Throws Error{kBadRun} for another name.
std::string loss_text(const std::string& kind, TargetKind target);

}  // namespace binade::train
