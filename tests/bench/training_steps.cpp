// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/training_steps.h"

#include "engine/autocast/region.h"
#include "engine/formats/error.h"
#include "engine/graph/samples.h"
#include "engine/train/device.h"
#include "engine/train/optimizer.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/optim/optimizer.h>

#include <optional>
#include <utility>

namespace binade::bench {

namespace {

const graph::Sample& sample(const std::string& name) {
  for (const graph::Sample& each : graph::samples())
    if (each.name == name) return each;
  throw Error(ErrorCode::kUsage, "no sample " + name);
}

bool is_tf32(const wire::RunConfig& config) {
  return config.policy.low == formats::kTFloat32 && config.policy.base != policy::Base::kAllFloat32;
}

std::vector<at::Tensor> copies(const graph::Model& model) {
  std::vector<at::Tensor> all;
  for (const auto& [name, parameter] : model.parameters()) all.push_back(parameter.detach().to(at::kCPU, at::kFloat));
  return all;
}

}  // namespace

wire::RunConfig training_of(const std::string& name, std::int64_t batch) {
  wire::RunConfig config;
  config.name = "bench";
  config.model = "sample:" + name;
  config.data.inputs = sample(name).inputs;
  const std::string& first = config.data.inputs.front();
  config.batch = batch > 0 ? batch : std::stoll(first.substr(first.find('[') + 1));
  config.optimizer.momentum = 0.9;
  config.scaler.enabled = false;
  config.policy.base = policy::Base::kAllFloat32;
  config.observe.level = "off";
  config.data.prefetch = 0;  // like the native step, which makes its own batches and holds one
  return config;
}

wire::RunConfig lowered_training_of(const std::string& name, const formats::Format& low, const std::string& device,
                                    std::int64_t batch) {
  wire::RunConfig config = training_of(name, batch);
  config.device = device;
  config.policy.base = device == "cuda" ? policy::Base::kCudaAmp : policy::Base::kCpuAmp;
  config.policy.low = low;
  config.policy.execution = policy::Execution::kNative;
  config.scaler.enabled = low == formats::kFloat16;
  config.scaler.init_scale = 1024;
  return config;
}

NativeStep::NativeStep(const wire::RunConfig& config, bool optimised)
    : config_(config),
      model_(graph::open_model(config.model, config.seed)),
      device_(train::open_device(config.device)),
      data_(config.data.inputs, config.batch, config.data.classes, config.seed),
      optimised_(optimised) {
  model_.to(device_);
  optimizer_ = train::make_optimizer(config.optimizer, model_.parameters());
  model_.train(true);
  if (config.scaler.enabled) {
    const auto options = at::TensorOptions().device(device_);
    scale_ = at::full({}, config.scaler.init_scale, options.dtype(at::kFloat));
    tracker_ = at::zeros({}, options.dtype(at::kInt));
  }
  at::Context& context = at::globalContext();
  tf32_before_[0] = context.allowTF32CuBLAS();
  tf32_before_[1] = context.allowTF32CuDNN();
  context.setAllowTF32CuBLAS(is_tf32(config));
  context.setAllowTF32CuDNN(is_tf32(config));
  train::seed(config.seed);  // same start as the engine's, so that dropout draws the same
}

NativeStep::~NativeStep() {
  at::globalContext().setAllowTF32CuBLAS(tf32_before_[0]);
  at::globalContext().setAllowTF32CuDNN(tf32_before_[1]);
}

void NativeStep::operator()() {
  batches::Batch batch = data_.next();
  optimizer_->zero_grad();
  const at::Tensor loss = forward_and_loss(batch);
  const bool scaled = scale_.defined();
  (scaled ? loss * scale_ : loss).backward();
  if (!scaled || unscale()) optimizer_->step();
  last_loss_ = loss.item<double>();  // as every training loop reads its loss
}

at::Tensor NativeStep::forward_and_loss(batches::Batch& batch) {
  std::optional<autocast::Region> region;
  if (config_.policy.base != policy::Base::kAllFloat32 && !is_tf32(config_)) {
    region.emplace(config_.device, config_.policy.low == formats::kFloat16 ? at::kHalf : at::kBFloat16);
  }
  for (c10::IValue& input : batch.inputs) {
    if (input.isTensor()) input = input.toTensor().to(device_);
  }
  const c10::IValue output =
      optimised_ ? model_.module().forward(std::move(batch.inputs)) : model_.forward(std::move(batch.inputs));
  return at::cross_entropy_loss(output.toTensor(), batch.target().to(device_));
}

bool NativeStep::unscale() {
  const at::NoGradGuard no_history;
  std::vector<at::Tensor> gradients;
  for (const auto& group : optimizer_->param_groups()) {
    for (const at::Tensor& parameter : group.params()) {
      if (parameter.grad().defined()) gradients.push_back(parameter.grad());
    }
  }
  at::Tensor found_inf = at::zeros({}, scale_.options());
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf, scale_.reciprocal());
  const bool finite = found_inf.item<float>() == 0;
  at::_amp_update_scale_(scale_, tracker_, found_inf, config_.scaler.growth_factor, config_.scaler.backoff_factor,
                         config_.scaler.growth_interval);
  return finite;
}

std::vector<at::Tensor> NativeStep::parameters() const {
  return copies(model_);
}

EngineStep::EngineStep(const wire::RunConfig& config) : training_(train::set_up(config)), stepper_(*training_) {}

EngineStep::~EngineStep() = default;

void EngineStep::operator()() {
  const auto outcome = stepper_.run(step_++);
  if (!outcome.record.stepped) throw Error(ErrorCode::kInternal, "a step was skipped: the figure would be too good");
  last_loss_ = outcome.record.loss;
}

std::vector<at::Tensor> EngineStep::parameters() const {
  return copies(training_->model);
}

namespace {

template <class Step>
std::vector<at::Tensor> parameters_after(Step step, int steps) {
  for (int i = 0; i < steps; ++i) (*step)();
  return step->parameters();
}

std::vector<at::Tensor> native_after(const wire::RunConfig& config, int steps) {
  return parameters_after(std::make_unique<NativeStep>(config, /*optimised=*/false), steps);
}

int differing(const std::vector<at::Tensor>& ours, const std::vector<at::Tensor>& theirs) {
  int count = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) count += ours[i].equal(theirs[i]) ? 0 : 1;
  return count;
}

}  // namespace

int differing_parameters(const wire::RunConfig& config, int steps) {
  const train::Deterministic deterministic;
  const auto ours = parameters_after(std::make_unique<EngineStep>(config), steps);
  return differing(ours, native_after(config, steps));
}

int native_differs_from_itself(const wire::RunConfig& config, int steps) {
  const train::Deterministic deterministic;
  const auto once = native_after(config, steps);
  return differing(once, native_after(config, steps));
}

}  // namespace binade::bench
