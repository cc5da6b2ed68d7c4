// SPDX-License-Identifier: Apache-2.0
#include "engine/host/verify/verify_side.h"

#include "engine/exporters/tensors.h"
#include "engine/formats/error.h"
#include "engine/graph/failure.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/variable.h>

#include <limits>
#include <sstream>

namespace binade::host {

namespace {

constexpr double kLearningRate = 0.01;
constexpr int kWarmUps = 5;

std::string layout_of(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.layout();
  return text.str();
}

graph::Model placed(const graph::Model& model, c10::Device device) {
  model.to(device);
  return model;
}

}  // namespace

NativeAutocast::NativeAutocast(const VerifyOptions& options)
    : on_(options.autocast.has_value()), device_(options.device.type()) {
  if (!on_) return;
  dtype_before_ = at::autocast::get_autocast_dtype(device_);
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, *options.autocast);
  at::autocast::increment_nesting();
}

NativeAutocast::~NativeAutocast() {
  if (!on_) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, false);
  at::autocast::set_autocast_dtype(device_, dtype_before_);
}

Side::Side(const graph::Model& loaded, c10::Device device)
    : model(placed(loaded, device)), parameters(model.parameters()), buffers(model.buffers()) {
  for (auto& [name, parameter] : parameters) {
    if (parameter.is_floating_point()) parameter.requires_grad_(true);
  }
}

void Side::backward(const VerifyOptions& options, const c10::IValue& output) {
  outputs = options.outputs(output);
  loss = at::Tensor();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].is_floating_point()) continue;
    try {
      const at::Tensor part = outputs[i].to(at::kFloat).square().mean();
      loss = loss.defined() ? loss + part : part;
    } catch (const std::exception& error) {
      throw Error(ErrorCode::kBadModel,
                  "Output " + std::to_string(i) + ", of layout " + layout_of(outputs[i]) +
                      ", cannot be part of the loss of verify. LibTorch refuses: " + graph::reason_of(error),
                  "Name other outputs with --output, or change the model to return a dense tensor.");
    }
  }
  if (!loss.defined()) {
    throw Error(ErrorCode::kBadModel, "The output contains no floating-point tensor for a loss",
                "Name another output with --output.");
  }
  for (auto& [name, parameter] : parameters) parameter.mutable_grad() = at::Tensor();
  if (!loss.requires_grad()) return;
  try {
    loss.backward();
  } catch (const std::exception& error) {
    throw graph::backward_failure(error, "To compare the model without backward, exclude the output with --output.");
  }
}

void Side::step() {
  const at::NoGradGuard no_history;
  for (auto& [name, parameter] : parameters) {
    if (parameter.grad().defined()) parameter.sub_(parameter.grad().to(parameter.scalar_type()), kLearningRate);
  }
}

ModelState Side::state() const {
  ModelState state;
  for (const auto& [name, parameter] : parameters) state.parameters.push_back(parameter.detach().clone());
  for (const auto& [name, buffer] : buffers) state.buffers.push_back(buffer.detach().clone());
  return state;
}

void Side::restore(const ModelState& state) {
  const at::NoGradGuard no_history;
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].second.copy_(state.parameters[i]);
  for (std::size_t i = 0; i < buffers.size(); ++i) buffers[i].second.copy_(state.buffers[i]);
}

std::vector<at::Tensor> Side::gradients() const {
  std::vector<at::Tensor> all;
  for (const auto& [name, parameter] : parameters) all.push_back(parameter.grad());
  return all;
}

void prepare(Side& reference, Side& other, const VerifyOptions& options) {
  const at::NoGradGuard no_history;
  at::manual_seed(options.seed);
  for (auto& [name, parameter] : reference.parameters) {
    if (parameter.is_floating_point() && parameter.numel() > 0 && parameter.abs().max().item<double>() == 0) {
      parameter.normal_(0, 0.02);
    }
  }
  reference.model.train(true);
  if (!reference.buffers.empty()) {
    for (int i = 0; i < kWarmUps; ++i) reference.model.forward(options.inputs(-1 - i));
  }
  reference.model.train(options.train);
  other.model.train(options.train);
  other.restore(reference.state());
}

double difference(const at::Tensor& a, const at::Tensor& b) {
  if (exporters::same_bits(a, b)) return 0;
  if (!a.defined() || !b.defined() || a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  const at::ScalarType wide = a.is_complex() || b.is_complex() ? at::kComplexDouble : at::kDouble;
  const double largest =
      (exporters::with_memory(a).to(wide) - exporters::with_memory(b).to(wide)).abs().max().item<double>();
  // Different bits without a numeric difference (dtype, sign of zero, NaN) count as a difference.
  return largest > 0 ? largest : std::numeric_limits<double>::denorm_min();
}

}  // namespace binade::host
