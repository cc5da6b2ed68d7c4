// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/optimizer_state.h"

#include "engine/scaler/fused_adam.h"
#include "engine/scaler/fused_sgd.h"

#include <c10/util/Exception.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

namespace binade::scaler {

namespace {

void cast(at::Tensor& tensor, at::ScalarType dtype) {
  if (tensor.defined() && tensor.is_floating_point()) tensor = tensor.to(dtype);
}

template <class AdamState>
void cast_adam(AdamState& state, at::ScalarType dtype) {
  at::Tensor first = state.exp_avg();
  at::Tensor second = state.exp_avg_sq();
  at::Tensor largest = state.max_exp_avg_sq();
  cast(first, dtype);
  cast(second, dtype);
  cast(largest, dtype);
  state.exp_avg(first);
  state.exp_avg_sq(second);
  state.max_exp_avg_sq(largest);
}

}  // namespace

void cast_state(torch::optim::OptimizerParamState& state, at::ScalarType dtype) {
  if (auto* sgd = dynamic_cast<torch::optim::SGDParamState*>(&state)) {
    at::Tensor momentum = sgd->momentum_buffer();
    cast(momentum, dtype);
    sgd->momentum_buffer(momentum);
  } else if (auto* adam = dynamic_cast<torch::optim::AdamParamState*>(&state)) {
    cast_adam(*adam, dtype);
  } else if (auto* adamw = dynamic_cast<torch::optim::AdamWParamState*>(&state)) {
    cast_adam(*adamw, dtype);
  } else if (auto* fused_sgd = dynamic_cast<FusedSGDParamState*>(&state)) {
    cast(fused_sgd->momentum_buffer, dtype);
  } else if (auto* fused_adam = dynamic_cast<FusedAdamParamState*>(&state)) {
    cast(fused_adam->exp_avg, dtype);  // `step` is a count and stays float32
    cast(fused_adam->exp_avg_sq, dtype);
    cast(fused_adam->max_exp_avg_sq, dtype);
  } else if (auto* adagrad = dynamic_cast<torch::optim::AdagradParamState*>(&state)) {
    at::Tensor sum = adagrad->sum();
    cast(sum, dtype);
    adagrad->sum(sum);
  } else if (auto* rmsprop = dynamic_cast<torch::optim::RMSpropParamState*>(&state)) {
    at::Tensor square = rmsprop->square_avg();
    at::Tensor momentum = rmsprop->momentum_buffer();
    at::Tensor average = rmsprop->grad_avg();
    cast(square, dtype);
    cast(momentum, dtype);
    cast(average, dtype);
    rmsprop->square_avg(square);
    rmsprop->momentum_buffer(momentum);
    rmsprop->grad_avg(average);
  } else {
    TORCH_CHECK_TYPE(
        false, "The state of this optimizer cannot be cast: only that of SGD, Adam, AdamW, RMSprop, ",
        "Adagrad and the fused ones is known. Make it work on the cast parameters from its first step on.");
  }
}

void match_state(torch::optim::Optimizer& optimizer) {
  for (auto& group : optimizer.param_groups()) {
    for (const at::Tensor& parameter : group.params()) {
      const auto found = optimizer.state().find(parameter.unsafeGetTensorImpl());
      if (found != optimizer.state().end()) cast_state(*found->second, parameter.scalar_type());
    }
  }
}

void move_state(torch::optim::Optimizer& optimizer, const at::Tensor& from, const at::Tensor& to) {
  const auto found = optimizer.state().find(from.unsafeGetTensorImpl());
  if (found == optimizer.state().end()) return;
  cast_state(*found->second, to.scalar_type());
  auto state = std::move(found->second);
  optimizer.state().erase(found);
  optimizer.state()[to.unsafeGetTensorImpl()] = std::move(state);
}

}  // namespace binade::scaler
