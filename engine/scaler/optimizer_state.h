// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace torch::optim {
class Optimizer;
class OptimizerParamState;
}  // namespace torch::optim

namespace binade::scaler {

/// Casts what SGD, Adam, AdamW, RMSprop, Adagrad and the fused ones keep of a parameter (momenta and sums; step counts
/// stay). Throws c10::TypeError for the state of another optimizer, whose fields nobody here knows.
void cast_state(torch::optim::OptimizerParamState& state, at::ScalarType dtype);

/// Gives every state that `optimizer` has already the dtype of its parameter: after the model was cast.
void match_state(torch::optim::Optimizer& optimizer);

/// What `optimizer` keeps of `from` belongs to `to` from now on, in the dtype of `to`.
void move_state(torch::optim::Optimizer& optimizer, const at::Tensor& from, const at::Tensor& to);

}  // namespace binade::scaler
