// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <vector>

namespace binade::exporters {

/// Every tensor of a value, through tuples, lists and dictionaries, in their order.
std::vector<at::Tensor> tensors_of(const c10::IValue& value);

/// The values, dense and in order, with memory of their own to look at: sparse and oneDNN's layouts have none, nor has
/// autograd's zero (the gradient of sgn), and a conjugate's memory holds something else.
at::Tensor with_memory(const at::Tensor& tensor);

/// Whether dtype, layout, shape and every bit agree; two undefined tensors do.
bool same_bits(const at::Tensor& a, const at::Tensor& b);

/// A copy that shares nothing with `model`, its classes included: what was saved, loaded again.
graph::Model reloaded(const graph::Model& model);

/// The state of LibTorch's random numbers on the CPU.
at::Tensor random_state();
void set_random_state(const at::Tensor& state);

/// Puts the random state back at its end.
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
