// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"
#include "engine/formats/round_kernel.h"

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/function.h>

#include <memory>
#include <optional>

namespace binade::autocast {

// Rounding recorded by autograd. It is straight-through: backward passes the gradient on, rounded to
// Precision::backward, and so does double backward. All backward rounding of a step happens here.

/// Number of times that ops took a tensor of a logical format. A single contribution to its gradient has been rounded
/// where it left that op; the sum of several has not.
struct Uses {
  int count = 0;
};

/// The rounder for values in `precision`.
formats::Rounder forward_rounder(const Precision& precision);

/// A float32 tensor rounded to `precision`; its gradient is rounded in backward.
at::Tensor rounded(const at::Tensor& tensor, const Precision& precision);

/// Alias of `tensor` in the same memory whose gradient is rounded on its way to `tensor`. Returns `tensor` itself if no
/// gradient is required.
at::Tensor with_rounded_gradient(const at::Tensor& tensor, const Precision& precision);

/// For a tensor that an op is about to write: rounds the gradient that the op's backward sends for the old value.
void round_gradient_of_written(const at::Tensor& tensor, const Precision& precision);

/// Rounds the sum of the gradients of several uses of `tensor`. `uses` is read during backward: after exactly one use
/// there is nothing left to round.
void round_gradient_sum(const at::Tensor& tensor, const Precision& precision, std::shared_ptr<const Uses> uses);

/// The format that an autograd node of this file rounds gradients to; nullopt for every other node.
std::optional<formats::Format> gradient_rounded_to(const torch::autograd::Node& node);

}  // namespace binade::autocast
