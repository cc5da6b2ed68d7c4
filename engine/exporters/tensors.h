// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <vector>

namespace binade::exporters {

/// Returns all tensors of a value, through tuples, lists and dictionaries, in order.
std::vector<at::Tensor> tensors_of(const c10::IValue& value);

/// Returns the tensor dense and contiguous, with readable memory. Sparse and oneDNN layouts and autograd's zero tensors
/// (the gradient of sgn) have none; the memory of a conjugate view holds other values.
at::Tensor with_memory(const at::Tensor& tensor);

/// Returns the sum of the mean squares of all floating-point outputs, as a loss for any model; undefined if there are
/// none.
at::Tensor mean_squares(const std::vector<at::Tensor>& outputs);

/// Returns whether dtype, layout, shape and every bit are equal. Two undefined tensors are equal.
bool same_bits(const at::Tensor& a, const at::Tensor& b);

/// Returns a copy of `model`, saved and loaded again, that shares nothing with it, not even classes.
graph::Model reloaded(const graph::Model& model);

/// The state of LibTorch's default random generator on the CPU.
at::Tensor random_state();
void set_random_state(const at::Tensor& state);

/// Restores the CPU's random state on destruction.
class KeepRandomState {
 public:
  KeepRandomState() : state_(random_state()) {}
  ~KeepRandomState() { set_random_state(state_); }
  KeepRandomState(const KeepRandomState&) = delete;
  KeepRandomState& operator=(const KeepRandomState&) = delete;

 private:
  at::Tensor state_;
};

}  // namespace binade::exporters
