// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"
#include "engine/formats/round_kernel.h"

#include <ATen/core/Tensor.h>

#include <memory>

namespace binade::autocast {

// Rounding that autograd sees. Straight through: backward sends the gradient on, rounded to Precision::backward, and
// backward of that does the same. All of a step's backward rounding is made here.

/// How often ops took a tensor of a logical format. One contribution to its gradient has been rounded where it left
/// that op; the sum of several has not.
struct Uses {
  int count = 0;
};

/// The rounder of values in `precision`.
formats::Rounder forward_rounder(const Precision& precision);

/// A float32 tensor rounded to `precision`; its gradient is rounded on the way back.
at::Tensor rounded(const at::Tensor& tensor, const Precision& precision);

/// The same values in the same memory; the gradient of this use is rounded on its way to `tensor`. `tensor` itself
/// where nobody asks for gradients.
at::Tensor with_rounded_gradient(const at::Tensor& tensor, const Precision& precision);

/// For a tensor that an op is about to write: what the op's backward sends for the old value is rounded on its way.
void round_gradient_of_written(const at::Tensor& tensor, const Precision& precision);

/// Rounds the sum where gradients of several uses of `tensor` meet. Asks `uses` when backward comes by: after exactly
/// one use there is nothing left to round.
void round_gradient_sum(const at::Tensor& tensor, const Precision& precision, std::shared_ptr<const Uses> uses);

}  // namespace binade::autocast
