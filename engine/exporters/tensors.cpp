// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/tensors.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <cstring>
#include <mutex>
#include <sstream>

namespace binade::exporters {

namespace {

void collect(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) {
    tensors.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const c10::IValue& element : value.toTupleRef().elements()) collect(element, tensors);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) collect(element, tensors);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) collect(entry.value(), tensors);
  }
}

}  // namespace

std::vector<at::Tensor> tensors_of(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  collect(value, tensors);
  return tensors;
}

at::Tensor with_memory(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().to(at::kCPU);
  if (plain.layout() != at::kStrided) return plain.to_dense().contiguous();
  if (plain._is_zerotensor()) return plain.clone().contiguous();
  return plain.resolve_conj().resolve_neg().contiguous();
}

at::Tensor mean_squares(const std::vector<at::Tensor>& outputs) {
  at::Tensor loss;
  for (const at::Tensor& tensor : outputs) {
    if (!tensor.defined() || !tensor.is_floating_point()) continue;
    const at::Tensor part = tensor.to(at::kFloat).square().mean();
    loss = loss.defined() ? loss + part : part;
  }
  return loss;
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes() || a.layout() != b.layout()) return false;
  if (a.numel() == 0) return true;
  const at::Tensor x = with_memory(a);
  const at::Tensor y = with_memory(b);
  return std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

graph::Model reloaded(const graph::Model& model) {
  std::stringstream file;
  model.module().save(file);
  return graph::Model(torch::jit::load(file));
}

at::Tensor random_state() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return generator.get_state();
}

void set_random_state(const at::Tensor& state) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace binade::exporters
