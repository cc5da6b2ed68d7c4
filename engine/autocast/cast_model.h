// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace torch::nn {
class Module;
}
namespace torch::jit {
struct Module;
}

namespace binade::autocast {

/// How a whole model is cast, as Apex's levels O0, O2 and O3 do it.
struct ModelDtype {
  at::ScalarType dtype = at::kHalf;
  bool keep_batchnorm_fp32 = false;  ///< batch norms, with or without weights, keep the dtype they have
};

/// Casts floating-point parameters, their gradients and floating-point buffers; integer buffers stay. The tensors keep
/// their identity, so that optimizers that hold them go on. What counts as batch norm: torch::nn::BatchNorm1d to 3d and
/// classes derived of them. Apex casts the statistics of a batch norm without weights; here they stay with the others.
void cast_model(torch::nn::Module& model, const ModelDtype& wanted);

/// In TorchScript a batch norm is a module whose class is called so, or one with running statistics that is no
/// instance norm.
void cast_model(const torch::jit::Module& model, const ModelDtype& wanted);
void cast_model(const graph::Model& model, const ModelDtype& wanted);

/// Refuses a model that somebody has cast already: throws Error{kBadModel} naming the first float16 parameter or
/// buffer.
void require_float32(const torch::nn::Module& model);
void require_float32(const torch::jit::Module& model);

/// Parameters and buffers by dotted name, float16 ones as float32 copies: what a checkpoint holds at every level.
/// Master weights are no part of it.
using State = std::vector<std::pair<std::string, at::Tensor>>;
State float32_state(const torch::nn::Module& model);
State float32_state(const torch::jit::Module& model);

/// Copies a state back into a model of any dtype. Throws Error{kBadModel} naming the first tensor that is missing, left
/// over or of another shape; then nothing has been copied.
void load_state(torch::nn::Module& model, const State& state);
void load_state(const torch::jit::Module& model, const State& state);

}  // namespace binade::autocast
