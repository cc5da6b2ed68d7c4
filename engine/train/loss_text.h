// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

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
/// cross_entropy with labels is two ops, as in torch.nn.functional; where `base` lists cross_entropy_loss itself, as
/// the CPU's list does, it is that one op, since the list casts it whole and would not cast its steps. Throws
/// Error{kBadRun} for another name.
std::string loss_text(const std::string& kind, TargetKind target, policy::Base base);

}  // namespace binade::train
