// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/float32_call.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <exception>
#include <utility>

namespace binade::compare {

at::Tensor Float32Call::widened(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_floating_point()) return tensor;
  const bool low = tensor.scalar_type() == at::kHalf || tensor.scalar_type() == at::kBFloat16;
  at::Tensor wide = low ? tensor.detach().to(at::kFloat) : tensor.detach();
  if (!tensor.requires_grad() || !at::GradMode::is_enabled()) return wide;
  wide.requires_grad_(true);
  originals_.push_back(tensor);
  leaves_.push_back(wide);
  return wide;
}

c10::IValue Float32Call::widened(const c10::IValue& value, graph::Role role) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    // In training mode batch norm writes its running statistics, which its schema does not declare.
    if (role == graph::Role::kStatistics && tensor.defined() && !tensor.requires_grad()) return tensor.detach().clone();
    return widened(tensor);
  }
  if (!value.isTensorList()) return value;
  c10::List<at::Tensor> list;
  for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(widened(tensor));
  return list;
}

std::optional<Float32Call> Float32Call::of(const graph::Call& call) {
  if (call.site.view || call.site.in_place || call.site.outputs == 0) return std::nullopt;
  // An unknown op counts as one that draws numbers: a difference could be theirs.
  if (graph::draws_numbers(call.site).value_or(true)) return std::nullopt;
  Float32Call again;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    again.arguments_.push_back(again.widened(call.argument(i), call.site.roles[i]));
  }
  return again;
}

Float32Call Float32Call::of_conversion(const at::Tensor& argument) {
  Float32Call again;
  again.arguments_.push_back(again.widened(argument));
  again.conversion_ = true;
  return again;
}

std::optional<at::Tensor> Float32Call::run(const graph::Site& site) {
  graph::Stack stack = std::exchange(arguments_, {});
  try {
    if (conversion_) {
      const at::Tensor& argument = stack[0].toTensor();
      result_ = argument.view_as(argument).to(at::kFloat);
      return result_.detach();
    }
    site.operation(stack);
  } catch (const std::exception&) {
    // The dtypes may not fit in float32, or the memory does not suffice for a second run. Neither hides anything: the
    // op call is listed with an estimate, and SiteDifference::measured is false.
    return std::nullopt;
  }
  const c10::IValue& result = stack[stack.size() - site.outputs];
  if (!result.isTensor() || !result.toTensor().defined()) return std::nullopt;
  result_ = result.toTensor();
  return result_.detach();
}

std::vector<at::Tensor> Float32Call::backward(const at::Tensor& gradient) {
  const at::Tensor result = std::exchange(result_, {});
  if (!result.defined() || !result.requires_grad() || leaves_.empty() || result.sizes() != gradient.sizes()) return {};
  try {
    return torch::autograd::grad({result}, leaves_, {gradient.to(result.scalar_type())}, /*retain_graph=*/false,
                                 /*create_graph=*/false, /*allow_unused=*/true);
  } catch (const std::exception&) {
    return {};  // the op call is listed without SiteDifference::gradient_added, which says that it was not measured
  }
}

}  // namespace binade::compare
