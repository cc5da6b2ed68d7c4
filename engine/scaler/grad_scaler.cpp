// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <torch/optim/optimizer.h>

#include <map>

namespace binade::scaler {

namespace {

/// Brings one-element tensors to the host in one copy.
std::vector<double> read_together(const std::vector<at::Tensor>& tensors) {
  const at::NoGradGuard no_grad;
  if (tensors.empty()) return {};
  if (tensors.size() == 1) return {tensors.front().item<double>()};
  std::vector<at::Tensor> scalars;
  scalars.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) scalars.push_back(tensor.reshape({}));
  const at::Tensor home = at::stack(scalars).to(c10::kCPU, at::kDouble);
  const double* values = home.const_data_ptr<double>();
  return {values, values + home.numel()};
}

at::Tensor sum_on(c10::Device device, const std::vector<std::pair<c10::Device, at::Tensor>>& tensors) {
  at::Tensor sum;
  for (const auto& [from, tensor] : tensors) {
    const at::Tensor here = tensor.to(device, at::kFloat, /*non_blocking=*/true);
    sum = sum.defined() ? sum.add(here) : here;
  }
  return sum;
}

}  // namespace

GradScaler::GradScaler(const Options& options) : options_(options) {
  if (!options_.enabled) return;
  // Written so that NaN passes, as upstream lets it.
  TORCH_CHECK(!(options_.growth_factor <= 1.0), "The growth factor must be > 1.0.");
  TORCH_CHECK(!(options_.backoff_factor >= 1.0), "The backoff factor must be < 1.0.");
}

GradScaler GradScaler::copy() const {
  TORCH_CHECK(!options_.enabled || optimizers_.empty(),
              "A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after "
              "scaler.update().");
  GradScaler other;
  other.options_ = options_;
  if (options_.enabled) {
    other.options_.init_scale = get_scale();
    other.init_growth_tracker_ = get_growth_tracker();
  }
  return other;
}

void GradScaler::make_tensors(c10::Device device) {
  if (scale_.defined()) return;
  const auto options = at::TensorOptions().device(device);
  at::Tensor scale = at::full({}, options_.init_scale, options.dtype(at::kFloat));
  growth_tracker_ = at::full({}, init_growth_tracker_, options.dtype(at::kInt));
  scale_ = std::move(scale);
}

void GradScaler::require_scale(const char* method) const {
  TORCH_CHECK(
      scale_.defined(), "Attempted ", method,
      " but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) earlier in "
      "the iteration.");
}

at::Tensor GradScaler::scale(const at::Tensor& outputs) {
  if (!options_.enabled) return outputs;
  make_tensors(outputs.device());
  return outputs.mul(scale_.to(outputs.device(), at::kFloat, /*non_blocking=*/true));
}

std::vector<at::Tensor> GradScaler::scale(const std::vector<at::Tensor>& outputs) {
  std::vector<at::Tensor> scaled;
  scaled.reserve(outputs.size());
  for (const at::Tensor& output : outputs) scaled.push_back(scale(output));
  return scaled;
}

void GradScaler::unscale_(torch::optim::Optimizer& optimizer) {
  if (!options_.enabled) return;
  require_scale("unscale_");
  // The entry exists from here on even where the gradients are refused, as upstream's default-dict has it.
  PerOptimizer& entry = optimizers_[&optimizer];
  TORCH_CHECK(entry.stage != Stage::kUnscaled,
              "unscale_() has already been called on this optimizer since the last update().");
  TORCH_CHECK(entry.stage != Stage::kStepped, "unscale_() is being called after step().");
  unscale_gradients(optimizer, entry);
  entry.stage = Stage::kUnscaled;
}

void GradScaler::unscale_gradients(torch::optim::Optimizer& optimizer, PerOptimizer& entry) const {
  const at::NoGradGuard no_grad;
  // One bucket a device and dtype: the kernel takes one of each. Filled before any gradient is touched, so that a
  // refused dtype leaves all of them as they were.
  std::vector<std::pair<c10::Device, std::map<at::ScalarType, std::vector<at::Tensor>>>> buckets;
  for (const auto& group : optimizer.param_groups()) {
    for (const at::Tensor& parameter : group.params()) {
      const at::Tensor& gradient = parameter.grad();
      if (!gradient.defined()) continue;
      TORCH_CHECK_VALUE(gradient.scalar_type() != at::kHalf, "Attempting to unscale FP16 gradients.");
      const at::Tensor values = gradient.is_sparse() ? gradient._values() : gradient;
      auto bucket = buckets.begin();
      while (bucket != buckets.end() && bucket->first != values.device()) ++bucket;
      if (bucket == buckets.end()) {
        buckets.emplace_back(values.device(), decltype(bucket->second){});
        bucket = std::prev(buckets.end());
      }
      bucket->second[values.scalar_type()].push_back(values);
    }
  }
  entry.found_inf.clear();
  // The reciprocal in float64, rounded once: compilers may use a fast one in float32.
  const at::Tensor inverse = scale_.to(at::kDouble).reciprocal().to(at::kFloat);
  for (const auto& [device, by_dtype] : buckets) {
    at::Tensor found_inf = at::zeros({}, at::TensorOptions().device(device).dtype(at::kFloat));
    const at::Tensor inverse_here = inverse.to(device, at::kFloat, /*non_blocking=*/true);
    for (const auto& [dtype, gradients] : by_dtype) {
      at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf, inverse_here);
    }
    entry.found_inf.emplace_back(device, std::move(found_inf));
  }
}

StepResult GradScaler::step(torch::optim::Optimizer& optimizer, const std::vector<at::Tensor>& beside) {
  StepResult result;
  if (!options_.enabled) {
    result.beside = read_together(beside);
    optimizer.step();
    return result;
  }
  require_scale("step");
  PerOptimizer& entry = optimizers_[&optimizer];
  TORCH_CHECK(entry.stage != Stage::kStepped, "step() has already been called since the last update().");
  if (entry.stage == Stage::kReady) unscale_(optimizer);
  TORCH_CHECK(!entry.found_inf.empty(), "No inf checks were recorded for this optimizer.");

  std::vector<at::Tensor> wanted = beside;
  wanted.push_back(sum_on(entry.found_inf.front().first, entry.found_inf));
  result.beside = read_together(wanted);
  result.found_inf = result.beside.back() != 0;  // any non-zero, NaN too, as the update kernel has it
  result.beside.pop_back();
  result.stepped = !result.found_inf;
  if (result.stepped) optimizer.step();
  entry.stage = Stage::kStepped;
  return result;
}

void GradScaler::update() {
  if (!options_.enabled) return;
  require_scale("update");
  std::vector<std::pair<c10::Device, at::Tensor>> all;
  for (const auto& [optimizer, entry] : optimizers_) {
    all.insert(all.end(), entry.found_inf.begin(), entry.found_inf.end());
  }
  TORCH_CHECK(!all.empty(), "No inf checks were recorded prior to update.");
  const at::Tensor found_inf = sum_on(scale_.device(), all);
  at::_amp_update_scale_(scale_, growth_tracker_, found_inf, options_.growth_factor, options_.backoff_factor,
                         options_.growth_interval);
  optimizers_.clear();
}

void GradScaler::update(double new_scale) {
  if (!options_.enabled) return;
  require_scale("update");
  scale_.fill_(new_scale);
  optimizers_.clear();
}

void GradScaler::update(const at::Tensor& new_scale) {
  if (!options_.enabled) return;
  require_scale("update");
  TORCH_CHECK(
      new_scale.device().type() == scale_.device().type() && new_scale.numel() == 1 && !new_scale.requires_grad(),
      "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with "
      "requires_grad=False.");
  scale_.copy_(new_scale);
  optimizers_.clear();
}

void GradScaler::set_scale(double scale) {
  if (scale_.defined()) scale_.fill_(scale);
  options_.init_scale = scale;
}

double GradScaler::get_scale() const {
  if (!options_.enabled) return 1.0;
  return scale_.defined() ? scale_.item<double>() : options_.init_scale;
}

std::int64_t GradScaler::get_growth_tracker() const {
  if (!options_.enabled) return 0;
  return growth_tracker_.defined() ? growth_tracker_.item<std::int64_t>() : init_growth_tracker_;
}

std::optional<State> GradScaler::state() const {
  if (!options_.enabled) return std::nullopt;
  return State{get_scale(), options_.growth_factor, options_.backoff_factor, options_.growth_interval,
               get_growth_tracker()};
}

void GradScaler::load_state(const std::optional<State>& state) {
  if (!options_.enabled) return;
  TORCH_CHECK(state.has_value(),
              "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.");
  options_.growth_factor = state->growth_factor;
  options_.backoff_factor = state->backoff_factor;
  options_.growth_interval = state->growth_interval;
  init_growth_tracker_ = state->growth_tracker;
  set_scale(state->scale);
  if (growth_tracker_.defined()) growth_tracker_.fill_(state->growth_tracker);
}

std::optional<Stage> GradScaler::stage(const torch::optim::Optimizer& optimizer) const {
  const auto found = optimizers_.find(&optimizer);
  if (found == optimizers_.end()) return std::nullopt;
  return found->second.stage;
}

std::vector<at::Tensor> GradScaler::found_inf(const torch::optim::Optimizer& optimizer) const {
  std::vector<at::Tensor> tensors;
  if (const auto found = optimizers_.find(&optimizer); found != optimizers_.end()) {
    for (const auto& [device, tensor] : found->second.found_inf) tensors.push_back(tensor);
  }
  return tensors;
}

}  // namespace binade::scaler
