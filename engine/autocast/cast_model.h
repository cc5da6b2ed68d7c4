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

/// How to cast a whole model, as Apex's levels O0, O2 and O3 do.
struct ModelDtype {
  at::ScalarType dtype = at::kHalf;
  bool keep_batchnorm_fp32 = false;  ///< batch norms, with or without weights, keep their dtype
};

/// Casts floating-point parameters, their gradients and floating-point buffers; integer buffers stay. The tensors keep
/// their identity, so that optimizers holding them remain valid. Batch norms are torch::nn::BatchNorm1d to 3d and
/// classes derived from them. With keep_batchnorm_fp32 Apex still casts the statistics of a batch norm without weights;
/// this function does not.
void cast_model(torch::nn::Module& model, const ModelDtype& wanted);

/// The same for TorchScript, where a batch norm is a module whose class name contains BatchNorm, or one with running
/// statistics that is not an instance norm.
void cast_model(const torch::jit::Module& model, const ModelDtype& wanted);
void cast_model(const graph::Model& model, const ModelDtype& wanted);

/// Throws Error{kBadModel} naming the first float16 parameter or buffer, if the model has been cast already.
void require_float32(const torch::nn::Module& model);
void require_float32(const torch::jit::Module& model);

/// Parameters and buffers by dotted name, float16 ones as float32 copies: the content of a checkpoint at every level,
/// without master weights.
using State = std::vector<std::pair<std::string, at::Tensor>>;
State float32_state(const torch::nn::Module& model);
State float32_state(const torch::jit::Module& model);

/// Copies a state back into a model of any dtype. Throws Error{kBadModel} naming the first tensor that is missing,
/// unknown or of another shape; nothing has been copied then.
void load_state(torch::nn::Module& model, const State& state);
void load_state(const torch::jit::Module& model, const State& state);

}  // namespace binade::autocast
