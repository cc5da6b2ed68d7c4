// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace torch::optim {
class Optimizer;
class OptimizerParamState;
}  // namespace torch::optim

namespace binade::scaler {

/// Casts the state of SGD, Adam, AdamW, RMSprop, Adagrad and the fused optimizers to `dtype`: momenta and sums, not
/// step counts. Throws c10::TypeError for any other optimizer's state.
void cast_state(torch::optim::OptimizerParamState& state, at::ScalarType dtype);

/// Casts all existing state of `optimizer` to the dtypes of its parameters. Call it after the model was cast.
void match_state(torch::optim::Optimizer& optimizer);

/// Moves the state that `optimizer` keeps for `from` to `to`, cast to the dtype of `to`. Throws like cast_state().
void move_state(torch::optim::Optimizer& optimizer, const at::Tensor& from, const at::Tensor& to);

}  // namespace binade::scaler
