// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/cast_model.h"

#include "engine/formats/error.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/rnn.h>

#include <map>
#include <sstream>

namespace binade::autocast {

namespace {

/// Changes the dtype of the tensor itself, so that every reference to it stays valid.
void cast_in_place(at::Tensor tensor, at::ScalarType dtype) {
  if (!tensor.defined() || !tensor.is_floating_point() || tensor.scalar_type() == dtype) return;
  const at::NoGradGuard no_history;
  at::Tensor gradient = tensor.mutable_grad();
  tensor.mutable_grad().reset();  // set_data() refuses a tensor whose gradient has another dtype
  tensor.set_data(tensor.to(dtype));
  if (gradient.defined()) tensor.mutable_grad() = gradient.to(dtype);
}

bool is_batch_norm(const torch::nn::Module& module) {
  return dynamic_cast<const torch::nn::BatchNorm1dImpl*>(&module) != nullptr ||
         dynamic_cast<const torch::nn::BatchNorm2dImpl*>(&module) != nullptr ||
         dynamic_cast<const torch::nn::BatchNorm3dImpl*>(&module) != nullptr;
}

bool is_batch_norm(const torch::jit::Module& module) {
  const std::string name = module.type()->name() ? module.type()->name()->name() : std::string();
  if (name.find("BatchNorm") != std::string::npos) return true;
  return name.find("InstanceNorm") == std::string::npos && module.hasattr("running_mean") &&
         module.hasattr("running_var");
}

/// cuDNN requires the weights of a recurrent layer in one buffer; elsewhere this does nothing.
void flatten_weights(torch::nn::Module& module) {
  if (auto* rnn = dynamic_cast<torch::nn::RNNImpl*>(&module)) rnn->flatten_parameters();
  if (auto* lstm = dynamic_cast<torch::nn::LSTMImpl*>(&module)) lstm->flatten_parameters();
  if (auto* gru = dynamic_cast<torch::nn::GRUImpl*>(&module)) gru->flatten_parameters();
}

[[noreturn]] void refuse_cast_model(const char* kind, const std::string& name, const at::Tensor& tensor) {
  std::ostringstream message;
  message << "Found " << kind << " " << name << " with type " << tensor.scalar_type() << ", expected Float";
  throw Error(
      ErrorCode::kBadModel, message.str(),
      "There is no need to call half() or to(kHalf) on the model before, whatever the level: give it in float32.");
}

State own_tensors(const torch::nn::Module& model) {
  State state;
  for (const auto& entry : model.named_parameters()) state.emplace_back(entry.key(), entry.value());
  for (const auto& entry : model.named_buffers()) state.emplace_back(entry.key(), entry.value());
  return state;
}

State own_tensors(const torch::jit::Module& model) {
  State state;
  for (const auto& entry : model.named_parameters()) state.emplace_back(entry.name, entry.value);
  for (const auto& entry : model.named_buffers()) state.emplace_back(entry.name, entry.value);
  return state;
}

State as_float32(State state) {
  const at::NoGradGuard no_history;
  for (auto& [name, tensor] : state) {
    tensor = tensor.detach();
    if (tensor.scalar_type() == at::kHalf) tensor = tensor.to(at::kFloat);
  }
  return state;
}

std::string shape(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.sizes();
  return text.str();
}

constexpr const char* kOtherModel =
    "Load a state that float32_state() made of the same model; nothing has been copied.";

void load(const State& own, const State& state) {
  const at::NoGradGuard no_history;
  std::map<std::string, at::Tensor> given(state.begin(), state.end());
  for (const auto& [name, tensor] : own) {
    const auto found = given.find(name);
    if (found == given.end()) {
      throw Error(ErrorCode::kBadModel, "The state has no tensor " + name, kOtherModel);
    }
    if (found->second.sizes() != tensor.sizes()) {
      throw Error(ErrorCode::kBadModel,
                  name + ": the state has the shape " + shape(found->second) + ", the model " + shape(tensor),
                  kOtherModel);
    }
  }
  if (given.size() > own.size()) {
    for (const auto& [name, tensor] : own) given.erase(name);
    throw Error(ErrorCode::kBadModel, "The model has no tensor " + given.begin()->first, kOtherModel);
  }
  for (const auto& [name, tensor] : own) tensor.copy_(given.at(name));
}

}  // namespace

void cast_model(torch::nn::Module& model, const ModelDtype& wanted) {
  const auto cast_own = [&wanted](torch::nn::Module& module) {
    if (wanted.keep_batchnorm_fp32 && is_batch_norm(module)) return;
    for (const at::Tensor& parameter : module.parameters(/*recurse=*/false)) cast_in_place(parameter, wanted.dtype);
    for (const at::Tensor& buffer : module.buffers(/*recurse=*/false)) cast_in_place(buffer, wanted.dtype);
    flatten_weights(module);
  };
  // The root separately: modules() would need a shared_ptr to it, which a module on the stack does not have.
  cast_own(model);
  for (const auto& module : model.modules(/*include_self=*/false)) cast_own(*module);
}

void cast_model(const torch::jit::Module& model, const ModelDtype& wanted) {
  for (const torch::jit::Module& module : model.modules()) {
    if (wanted.keep_batchnorm_fp32 && is_batch_norm(module)) continue;
    for (const at::Tensor& parameter : module.parameters(/*recurse=*/false)) cast_in_place(parameter, wanted.dtype);
    for (const at::Tensor& buffer : module.buffers(/*recurse=*/false)) cast_in_place(buffer, wanted.dtype);
  }
}

void cast_model(const graph::Model& model, const ModelDtype& wanted) {
  cast_model(model.module(), wanted);
}

void require_float32(const torch::nn::Module& model) {
  for (const auto& entry : model.named_parameters()) {
    if (entry.value().scalar_type() == at::kHalf) refuse_cast_model("parameter", entry.key(), entry.value());
  }
  for (const auto& entry : model.named_buffers()) {
    if (entry.value().scalar_type() == at::kHalf) refuse_cast_model("buffer", entry.key(), entry.value());
  }
}

void require_float32(const torch::jit::Module& model) {
  for (const auto& entry : model.named_parameters()) {
    if (entry.value.scalar_type() == at::kHalf) refuse_cast_model("parameter", entry.name, entry.value);
  }
  for (const auto& entry : model.named_buffers()) {
    if (entry.value.scalar_type() == at::kHalf) refuse_cast_model("buffer", entry.name, entry.value);
  }
}

State float32_state(const torch::nn::Module& model) {
  return as_float32(own_tensors(model));
}
State float32_state(const torch::jit::Module& model) {
  return as_float32(own_tensors(model));
}

void load_state(torch::nn::Module& model, const State& state) {
  load(own_tensors(model), state);
}
void load_state(const torch::jit::Module& model, const State& state) {
  load(own_tensors(model), state);
}

}  // namespace binade::autocast
