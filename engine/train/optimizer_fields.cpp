// SPDX-License-Identifier: Apache-2.0
#include "engine/train/optimizer_fields.h"

#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/scaler/fused_adam.h"
#include "engine/scaler/fused_sgd.h"

#include <ATen/ops/scalar_tensor.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <memory>

namespace binade::train {

namespace {

namespace optim = torch::optim;
using State = optim::OptimizerParamState;

/// Calls `visit` with each field's name and a reference to it, a tensor or a step count.
template <class Visitor>
bool each_field(State& state, Visitor visit) {
  if (auto* sgd = dynamic_cast<optim::SGDParamState*>(&state)) {
    visit("momentum_buffer", sgd->momentum_buffer());
  } else if (auto* adam = dynamic_cast<optim::AdamParamState*>(&state)) {
    visit("step", adam->step());
    visit("exp_avg", adam->exp_avg());
    visit("exp_avg_sq", adam->exp_avg_sq());
    visit("max_exp_avg_sq", adam->max_exp_avg_sq());
  } else if (auto* adamw = dynamic_cast<optim::AdamWParamState*>(&state)) {
    visit("step", adamw->step());
    visit("exp_avg", adamw->exp_avg());
    visit("exp_avg_sq", adamw->exp_avg_sq());
    visit("max_exp_avg_sq", adamw->max_exp_avg_sq());
  } else if (auto* rmsprop = dynamic_cast<optim::RMSpropParamState*>(&state)) {
    visit("step", rmsprop->step());
    visit("square_avg", rmsprop->square_avg());
    visit("momentum_buffer", rmsprop->momentum_buffer());
    visit("grad_avg", rmsprop->grad_avg());
  } else if (auto* adagrad = dynamic_cast<optim::AdagradParamState*>(&state)) {
    visit("step", adagrad->step());
    visit("sum", adagrad->sum());
  } else if (auto* fused_adam = dynamic_cast<scaler::FusedAdamParamState*>(&state)) {
    visit("step", fused_adam->step);
    visit("exp_avg", fused_adam->exp_avg);
    visit("exp_avg_sq", fused_adam->exp_avg_sq);
    visit("max_exp_avg_sq", fused_adam->max_exp_avg_sq);
  } else if (auto* fused_sgd = dynamic_cast<scaler::FusedSGDParamState*>(&state)) {
    visit("momentum_buffer", fused_sgd->momentum_buffer);
    visit("begun", fused_sgd->begun);
  } else {
    return false;
  }
  return true;
}

std::unique_ptr<State> empty_state(const wire::OptimizerConfig& config) {
  if (config.kind == "adam" || config.kind == "adamw") {
    if (config.fused) return std::make_unique<scaler::FusedAdamParamState>();
    if (config.kind == "adamw") return std::make_unique<optim::AdamWParamState>();
    return std::make_unique<optim::AdamParamState>();
  }
  if (config.kind == "rmsprop") return std::make_unique<optim::RMSpropParamState>();
  if (config.kind == "adagrad") return std::make_unique<optim::AdagradParamState>();
  if (config.fused) return std::make_unique<scaler::FusedSGDParamState>();
  return std::make_unique<optim::SGDParamState>();
}

/// Fills fields from one parameter's tensors, and counts those used.
struct Filler {
  const std::map<std::string, at::Tensor>& tensors;
  const std::string& name;
  const at::Tensor& parameter;
  std::size_t taken = 0;

  const at::Tensor* find(const char* field) {
    const auto found = tensors.find(name + "." + field);
    if (found == tensors.end()) return nullptr;
    ++taken;
    return &found->second;
  }

  void operator()(const char* field, at::Tensor& into) {
    const at::Tensor* from = find(field);
    if (from == nullptr) return;
    if (from->dim() > 0 && from->sizes() != parameter.sizes()) {
      throw Error(ErrorCode::kBadFile,
                  "optimizer: " + name + "." + field + " is " + graph::shape_name(*from) + ", but " + name + " is " +
                      graph::shape_name(parameter),
                  "The checkpoint belongs to another model.");
    }
    into = from->to(parameter.device(), from->scalar_type(), /*non_blocking=*/false, /*copy=*/true);
  }

  void operator()(const char* field, std::int64_t& into) {
    if (const at::Tensor* from = find(field)) into = from->item<std::int64_t>();
  }
};

}  // namespace

NamedTensors optimizer_tensors(optim::Optimizer& optimizer, const NamedTensors& parameters) {
  NamedTensors all;
  for (const auto& [name, parameter] : parameters) {
    const auto found = optimizer.state().find(parameter.unsafeGetTensorImpl());
    if (found == optimizer.state().end()) continue;
    const auto add = [&all, &name = name](const char* field, auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, at::Tensor>) {
        if (value.defined()) all.emplace_back(name + "." + field, value);
      } else {
        all.emplace_back(name + "." + field, at::scalar_tensor(value, at::kLong));
      }
    };
    if (!each_field(*found->second, add)) {
      throw Error(ErrorCode::kInternal, "The optimizer's state cannot be saved", "Choose another optimizer.");
    }
  }
  return all;
}

void load_optimizer_tensors(optim::Optimizer& optimizer, const wire::OptimizerConfig& config,
                            const NamedTensors& parameters, const std::map<std::string, at::Tensor>& tensors) {
  std::size_t taken = 0;
  std::vector<std::pair<void*, std::unique_ptr<State>>> states;
  for (const auto& [name, parameter] : parameters) {
    auto state = empty_state(config);
    Filler filler{tensors, name, parameter};
    each_field(*state, [&filler](const char* field, auto& value) { filler(field, value); });
    if (filler.taken > 0) states.emplace_back(parameter.unsafeGetTensorImpl(), std::move(state));
    taken += filler.taken;
  }
  if (taken != tensors.size()) {
    throw Error(ErrorCode::kBadFile,
                "optimizer: " + std::to_string(tensors.size() - taken) + " tensors match no parameter of " +
                    config.kind + (config.fused ? ", fused" : ""),
                "The checkpoint belongs to another optimizer.");
  }
  optimizer.state().clear();
  for (auto& [parameter, state] : states) optimizer.state()[parameter] = std::move(state);
}

}  // namespace binade::train
