// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/replay.h"

#include "engine/diagnose/trace.h"
#include "engine/observe/observer.h"
#include "engine/observe/own_cast.h"
#include "engine/train/batch_pass.h"
#include "engine/train/model_state.h"
#include "engine/train/same_draws.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_copy.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <set>

namespace binade::diagnose {

namespace {

std::vector<std::pair<at::Tensor, std::int64_t>> versions_of(const batches::Batch& batch) {
  std::vector<std::pair<at::Tensor, std::int64_t>> all;
  const auto add = [&all](const at::Tensor& tensor) { all.emplace_back(tensor, tensor._version()); };
  for (const c10::IValue& input : batch.inputs) observe::each_tensor(input, add);
  for (const auto& [name, target] : batch.targets) {
    if (target.defined()) add(target);
  }
  return all;
}

/// Returns a copy of the tensor with the rows replaced, if it has the batch's rows.
at::Tensor with_replaced(const at::Tensor& tensor, const Replay::Replaced& replaced, std::int64_t examples) {
  if (!tensor.defined() || tensor.dim() == 0 || tensor.size(0) != examples) return tensor;
  const auto places = at::tensor(replaced.rows, at::TensorOptions().dtype(at::kLong).device(tensor.device()));
  const std::vector<at::Tensor> rows(replaced.rows.size(), tensor.narrow(0, replaced.by, 1));
  return tensor.index_copy(0, places, at::cat(rows, 0));
}

batches::Batch with_replaced(batches::Batch batch, const Replay::Replaced& replaced) {
  for (c10::IValue& input : batch.inputs) {
    if (input.isTensor()) input = with_replaced(input.toTensor(), replaced, batch.examples);
  }
  for (auto& [name, target] : batch.targets) target = with_replaced(target, replaced, batch.examples);
  return batch;
}

/// Sums each parameter's gradients over scalers.
std::vector<at::Tensor> sums_of(const std::vector<std::vector<at::Tensor>>& gradients) {
  const at::NoGradGuard no_history;
  std::vector<at::Tensor> sums(gradients.front().size());
  for (const auto& of_scaler : gradients) {
    for (std::size_t k = 0; k < of_scaler.size(); ++k) {
      if (!of_scaler[k].defined()) continue;
      sums[k] = sums[k].defined() ? sums[k].add(of_scaler[k]) : of_scaler[k];
    }
  }
  return sums;
}

}  // namespace

Replay::Replay(train::Training& training) : training_(training), autocast_(training.device.type()) {
  for (auto& [name, parameter] : training.model.parameters()) {
    if (parameter.requires_grad()) parameters_.emplace_back(name, parameter);
  }
}

Replay::~Replay() = default;

void Replay::begin(std::int64_t cursor, train::RandomState random) {
  cursor_ = cursor;
  random_ = std::move(random);
  attributes_ = training_.attributes.now();
  batches_.clear();
  versions_.clear();
}

void Replay::add(const batches::Batch& batch) {
  batches_.push_back(batch);
  versions_.push_back(versions_of(batch));
}

void Replay::rewind_model() {
  training_.attributes.put(attributes_);  // first, since a forward may have replaced a buffer's tensor
  training_.buffers.restore();
}

void Replay::rewind() {
  rewind_model();
  random_->restore();
}

batches::Batch Replay::batch(std::size_t i) {
  bool written = false;
  for (const auto& [tensor, version] : versions_[i]) written = written || tensor._version() != version;
  if (written) {
    // The model writes its inputs in place; the data source has the originals.
    const std::int64_t here = training_.data->cursor();
    training_.data->seek(cursor_ + static_cast<std::int64_t>(i));
    batches_[i] = training_.data->next();
    versions_[i] = versions_of(batches_[i]);
    training_.data->seek(here);
  }
  return train::on_device(training_, batches_[i]);
}

void Replay::name_tensors(Trace& trace) const {
  using Origin = TracedValue::Origin;
  const train::StartValues& start = training_.start;
  for (const auto& [name, parameter] : training_.model.parameters()) {
    trace.name(parameter, Origin::kParameter, name, start.is_bad_parameter(name));
  }
  for (const auto& [name, buffer] : training_.model.buffers()) {
    trace.name(buffer, Origin::kBuffer, name, start.has_unchanged(name, buffer));
  }
  // Other tensors of the model count as constants unless they have changed.
  for (const auto& [name, tensor] : train::attribute_tensors(training_.model)) {
    if (!start.has_unchanged(name, tensor)) trace.name(tensor, Origin::kBuffer, name);
  }
}

Replay::Result Replay::run(const How& how) {
  rewind();
  autocast_.set_policy(how.policy != nullptr ? how.policy : training_.policy);
  autocast_.products().follow(training_.autocast.products());
  for (auto& [name, parameter] : parameters_) parameter.mutable_grad().reset();
  gradients_.assign(training_.scalers.size(), std::vector<at::Tensor>(parameters_.size()));
  autocast_.set_watch({});
  if (how.trace != nullptr) {
    autocast_.set_watch([trace = how.trace](const autocast::InnerCast& cast) {
      trace->cast_inside(cast.op.op, cast.op.argument_names[cast.argument], cast.from, cast.to);
    });
    name_tensors(*how.trace);
  }
  const train::NamedTensors buffers = how.trace != nullptr ? training_.model.buffers() : train::NamedTensors();
  Result result;
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    const bool changed = !how.replaced.rows.empty() && how.replaced.batch == i;
    if (how.draws != nullptr) how.draws->begin(static_cast<int>(i));
    forward_backward(changed ? with_replaced(batch(i), how.replaced) : batch(i), how, result);
  }
  if (how.trace != nullptr) {
    const train::NamedTensors now = training_.model.buffers();
    for (std::size_t i = 0; i < buffers.size() && i < now.size(); ++i) {
      if (!now[i].second.is_same(buffers[i].second)) how.trace->replaced(buffers[i].second);
    }
  }
  result.finite_loss = std::isfinite(result.loss);
  check_gradients(gradients_, result);
  if (how.gradients != nullptr) *how.gradients = sums_of(gradients_);
  gradients_.clear();
  for (auto& [name, parameter] : parameters_) parameter.mutable_grad().reset();
  return result;
}

void Replay::forward_backward(const batches::Batch& batch, const How& how, Result& result) {
  observe::LiftedCasts lifted(how.lifted);
  std::vector<graph::SiteHook*> hooks{&autocast_};
  if (how.trace != nullptr) {
    how.trace->begin_batch();
    hooks = {how.trace->hook(), &autocast_};
    int number = 0;
    const auto& arguments = training_.forward.schema().arguments();
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
      const std::string name = i + 1 < arguments.size() ? arguments[i + 1].name() : std::to_string(i);
      observe::each_tensor(batch.inputs[i], [&](const at::Tensor& tensor) {
        how.trace->name(tensor, TracedValue::Origin::kData, name);
        ++number;
      });
    }
    for (const auto& [name, target] : batch.targets) {
      how.trace->name(target, TracedValue::Origin::kData, name.empty() ? "target" : name);
    }
  }
  if (!how.lifted.empty()) hooks.push_back(&lifted);
  if (how.draws != nullptr) hooks.push_back(how.draws);
  if (how.observer != nullptr) hooks.push_back(how.observer);  // innermost: receives values before rounding
  if (how.outer != nullptr) hooks.insert(hooks.begin(), how.outer);
  train::BatchPass pass(training_, autocast_, batch, hooks);
  for (std::size_t i = 0; i < training_.losses.size(); ++i) {
    at::Tensor value = pass.loss(i);
    if (how.trace != nullptr) how.trace->loss(value);
    value = pass.add(i, std::move(value));
    result.loss += training_.losses[i].config().weight * value.detach().item<double>();
  }
  std::vector<at::Tensor> sums = pass.finish();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!sums[i].defined() || !sums[i].requires_grad() || (how.only && *how.only != i)) continue;
    at::Tensor root = sums[i];
    const double factor = how.factors.empty() ? 1 : how.factors[i];
    if (training_.scalers.enabled(i) || factor != 1) {
      const auto scale = static_cast<float>(training_.scalers.scale(i) * how.scale * factor);
      root = root.mul(at::full({}, scale, root.options().dtype(at::kFloat)));
    }
    if (how.trace != nullptr) how.trace->before_backward(root);
    if (!training_.masters) swap_gradients(gradients_[i]);
    torch::autograd::backward({root}, {}, /*retain_graph=*/i + 1 < sums.size());
    if (training_.masters) {
      add_gradients(gradients_[i]);
    } else {
      swap_gradients(gradients_[i]);
    }
  }
}

void Replay::swap_gradients(std::vector<at::Tensor>& with) {
  for (std::size_t k = 0; k < parameters_.size(); ++k) std::swap(parameters_[k].second.mutable_grad(), with[k]);
}

void Replay::add_gradients(std::vector<at::Tensor>& to) {
  const at::NoGradGuard no_history;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    const at::Tensor gradient = std::exchange(parameters_[k].second.mutable_grad(), {});
    if (!gradient.defined()) continue;
    to[k] = to[k].defined() ? to[k].add(gradient.to(at::kFloat)) : gradient.to(at::kFloat);
  }
}

void Replay::check_gradients(std::vector<std::vector<at::Tensor>>& gradients, Result& result) const {
  result.bad_scalers.assign(gradients.size(), false);
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    bool finite = true;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const at::Tensor& gradient = gradients[i][k];
      if (!gradient.defined() || observe::all_finite(gradient)) continue;
      finite = false;
      result.bad_scalers[i] = true;
    }
    if (!finite) result.bad_parameters.push_back(parameters_[k].first);
  }
}

}  // namespace binade::diagnose
