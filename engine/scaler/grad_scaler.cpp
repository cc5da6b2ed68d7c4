// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"

#include "engine/scaler/scale_rule.h"
#include "engine/scaler/scales_itself.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <c10/util/Exception.h>
#include <torch/optim/optimizer.h>

#include <cmath>

namespace binade::scaler {

namespace {

constexpr const char* kBadNewScale =
    "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with requires_grad=False.";

/// Copies one-element tensors to the host in one transfer.
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

void check_limits(const Options& options) {
  TORCH_CHECK(!(options.minimum < 0) && !(options.maximum < 0), "The minimum and the maximum of the scale must not be ",
              "below 0 (0 means none), not ", options.minimum, " and ", options.maximum, ".");
  TORCH_CHECK(options.maximum == 0 || options.minimum <= options.maximum, "The minimum of the scale, ", options.minimum,
              ", is above its maximum, ", options.maximum, ".");
  TORCH_CHECK(options.hysteresis >= 1, "The hysteresis counts overflows from 1, which backs off at once, not from ",
              options.hysteresis, ".");
}

/// Resets the optimizer's grad_scale and found_inf, even if its step throws.
class Given {
 public:
  explicit Given(ScalesItself& itself) : itself_(itself) {}
  ~Given() {
    itself_.grad_scale.reset();
    itself_.found_inf.reset();
  }
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;

 private:
  ScalesItself& itself_;
};

}  // namespace

GradScaler::GradScaler(const Options& options) : options_(options) {
  if (options_.enabled && options_.device == c10::kCUDA && !at::globalContext().hasCUDA()) {
    TORCH_WARN("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.");
    options_.enabled = false;
  }
  if (!options_.enabled) return;
  // Written so that NaN passes, as in PyTorch.
  TORCH_CHECK(!(options_.growth_factor <= 1.0), "The growth factor must be > 1.0.");
  TORCH_CHECK(!(options_.backoff_factor >= 1.0), "The backoff factor must be < 1.0.");
  check_limits(options_);
}

GradScaler GradScaler::copy() const {
  TORCH_CHECK(!options_.enabled || optimizers_.empty(),
              "A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after "
              "scaler.update().");
  GradScaler other;
  other.options_ = options_;
  if (const auto now = state()) {
    other.options_.init_scale = now->scale;
    other.init_growth_tracker_ = now->growth_tracker;
    other.init_overflows_ = now->overflows_in_a_row;
    other.tracker_may_pass_ = tracker_may_pass_;
  }
  return other;
}

void GradScaler::make_tensors(c10::Device device) {
  if (!options_.enabled || scale_.defined()) return;
  const auto options = at::TensorOptions().device(device);
  at::Tensor scale = at::full({}, options_.init_scale, options.dtype(at::kFloat));
  growth_tracker_ = at::full({}, init_growth_tracker_, options.dtype(at::kInt));
  overflows_ = at::full({}, init_overflows_, options.dtype(at::kFloat));
  scale_ = std::move(scale);
  known_ = State{static_cast<double>(static_cast<float>(options_.init_scale)),
                 options_.growth_factor,
                 options_.backoff_factor,
                 options_.growth_interval,
                 init_growth_tracker_,
                 init_overflows_};
}

void GradScaler::require_scale(const char* method) const {
  TORCH_CHECK(
      scale_.defined(), "Attempted ", method,
      " but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) earlier in "
      "the iteration.");
}

bool GradScaler::must_look_again() const {
  // Dividing by a scale below 1 can overflow finite gradients. PyTorch checks only before the division.
  return fixed() && !(known_ && known_->scale >= 1 && std::isfinite(known_->scale));
}

void GradScaler::unscale_(torch::optim::Optimizer& optimizer) {
  if (!options_.enabled) return;
  require_scale("unscale_");
  // The entry stays even if the gradients are refused, as with PyTorch's defaultdict.
  PerOptimizer& entry = optimizers_[&optimizer];
  TORCH_CHECK(entry.stage != Stage::kUnscaled,
              "unscale_() has already been called on this optimizer since the last update().");
  TORCH_CHECK(entry.stage != Stage::kStepped, "unscale_() is being called after step().");
  const auto buckets = gradients_of(optimizer, /*allow_half=*/false, options_.behaviour);
  const at::NoGradGuard no_grad;
  // Computed in float64 and rounded once: compilers may use an approximate float32 reciprocal.
  const at::Tensor inverse = scale_.to(at::kDouble).reciprocal().to(at::kFloat);
  entry.found_inf = unscale_and_check(buckets, inverse, must_look_again());
  entry.known.reset();
  entry.stage = Stage::kUnscaled;
}

std::vector<at::Tensor> GradScaler::check_inf(torch::optim::Optimizer& optimizer) {
  if (!options_.enabled) return {};
  require_scale("_check_inf_per_device");
  PerOptimizer& entry = optimizers_[&optimizer];
  const auto buckets = gradients_of(optimizer, /*allow_half=*/true, options_.behaviour);
  entry.found_inf = unscale_and_check(buckets, at::ones({}, scale_.options()), /*look_again=*/false);
  entry.known.reset();
  return found_inf(optimizer);
}

StepResult GradScaler::step(torch::optim::Optimizer& optimizer, const std::vector<at::Tensor>& beside) {
  return step_any(optimizer, nullptr, beside);
}

StepResult GradScaler::step(torch::optim::Optimizer& optimizer, LossClosure closure) {
  TORCH_CHECK(!closure || !options_.enabled || !fixed(),
              "Closure use is not currently supported if GradScaler is enabled.");
  return step_any(optimizer, closure, {});
}

StepResult GradScaler::step_any(torch::optim::Optimizer& optimizer, const LossClosure& closure,
                                const std::vector<at::Tensor>& beside) {
  StepResult result;
  if (!options_.enabled) {
    result.beside = read_together(beside);
    result.returned = optimizer.step(closure);
    return result;
  }
  require_scale("step");
  PerOptimizer& entry = optimizers_[&optimizer];
  TORCH_CHECK(entry.stage != Stage::kStepped, "step() has already been called since the last update().");
  if (auto* itself = dynamic_cast<ScalesItself*>(&optimizer)) {
    return step_itself(optimizer, *itself, entry, closure, beside);
  }
  if (entry.stage == Stage::kReady) unscale_(optimizer);
  TORCH_CHECK(!entry.found_inf.empty(), "No inf checks were recorded for this optimizer.");

  std::vector<at::Tensor> wanted = beside;
  wanted.push_back(sum_on(entry.found_inf.front().first, entry.found_inf));
  result.beside = read_together(wanted);
  result.found_inf = result.beside.back() != 0;  // any non-zero value, NaN too, as in the update kernel
  result.beside.pop_back();
  entry.known = result.found_inf;
  result.stepped = !result.found_inf;
  if (result.stepped) {
    result.returned = optimizer.step(closure);
  } else {
    result.overflowed = overflowed_groups(optimizer);
  }
  entry.stage = Stage::kStepped;
  return result;
}

StepResult GradScaler::step_itself(torch::optim::Optimizer& optimizer, ScalesItself& itself, PerOptimizer& entry,
                                   const LossClosure& closure, const std::vector<at::Tensor>& beside) {
  if (entry.stage == Stage::kReady) check_inf(optimizer);
  StepResult result;
  result.on_device = true;
  const Given given(itself);
  if (!entry.found_inf.empty()) {
    itself.found_inf = sum_on(scale_.device(), entry.found_inf);
    // The kernels skip at exactly 1, so a sum of 2 from two devices would not skip.
    if (fixed() && entry.found_inf.size() > 1) itself.found_inf.clamp_max_(1);
  }
  if (entry.stage == Stage::kReady) {
    itself.grad_scale = itself.grad_scale.defined() ? scale_.mul(itself.grad_scale) : scale_;
  }
  std::vector<at::Tensor> wanted = beside;
  if (!wanted.empty()) {
    if (itself.found_inf.defined()) wanted.push_back(itself.found_inf.to(wanted.front().device()));
    result.beside = read_together(wanted);
    if (itself.found_inf.defined()) {
      result.found_inf = result.beside.back() != 0;
      result.beside.pop_back();
      result.stepped = !result.found_inf;
      entry.known = result.found_inf;
    }
  }
  result.returned = optimizer.step(closure);
  entry.stage = Stage::kStepped;
  return result;
}

void GradScaler::update() {
  if (!options_.enabled) return;
  require_scale("update");
  std::vector<std::pair<c10::Device, at::Tensor>> all;
  bool known = known_.has_value();  // whether the host can follow the update
  bool found = false;
  for (const auto& [optimizer, entry] : optimizers_) {
    if (entry.found_inf.empty()) continue;
    all.insert(all.end(), entry.found_inf.begin(), entry.found_inf.end());
    known = known && entry.known.has_value();
    found = found || entry.known.value_or(false);
  }
  TORCH_CHECK(!all.empty(), "No inf checks were recorded prior to update.");
  const double before = scale_for_listener();
  apply_rule(sum_on(scale_.device(), all));
  if (known) {
    known_ = after_update(*known_, found, options_);
  } else {
    known_.reset();
  }
  optimizers_.clear();
  if (!listener_) return;
  if (!known_) known_ = state();
  notify(before, known_->scale < before ? Cause::kBackOff : Cause::kGrowth);
}

void GradScaler::apply_rule(const at::Tensor& found_inf) {
  if (!options_.dynamic) return;
  if (fixed() && tracker_may_pass_ && options_.growth_interval > 0) {
    growth_tracker_.clamp_max_(options_.growth_interval - 1);  // the kernel grows at equality only
  }
  tracker_may_pass_ = false;
  const auto kernel = [this](const at::Tensor& found) {
    at::_amp_update_scale_(scale_, growth_tracker_, found, options_.growth_factor, options_.backoff_factor,
                           options_.growth_interval);
  };
  if (options_.hysteresis <= 1) {
    kernel(found_inf);
  } else {
    const at::Tensor bad = found_inf.ne(0);
    overflows_.add_(1).mul_(bad);
    const at::Tensor give_way = overflows_.ge(options_.hysteresis);
    const at::Tensor tolerated = bad.logical_and(give_way.logical_not());
    const at::Tensor before = scale_.clone();
    kernel(give_way.to(at::kFloat));
    scale_.copy_(at::where(tolerated, before, scale_));
    growth_tracker_.masked_fill_(tolerated, 0);
  }
  if (options_.minimum > 0) scale_.clamp_min_(options_.minimum);
  if (options_.maximum > 0) scale_.clamp_max_(options_.maximum);
}

void GradScaler::update(const at::Scalar& new_scale) {
  if (!options_.enabled) return;
  require_scale("update");
  TORCH_CHECK(fixed() || new_scale.isFloatingPoint(), kBadNewScale);
  const double before = scale_for_listener();
  scale_.fill_(new_scale);
  if (known_) known_->scale = static_cast<double>(new_scale.to<float>());
  optimizers_.clear();
  notify(before, Cause::kSet);
}

void GradScaler::update(const at::Tensor& new_scale) {
  if (!options_.enabled) return;
  require_scale("update");
  TORCH_CHECK(new_scale.device().type() == options_.device.value_or(scale_.device().type()) && new_scale.numel() == 1 &&
                  !new_scale.requires_grad(),
              kBadNewScale);
  const double before = scale_for_listener();
  scale_.copy_(fixed() ? new_scale.reshape({}) : new_scale);
  optimizers_.clear();
  if (new_scale.is_cpu()) {
    if (known_) known_->scale = scale_.is_cpu() ? scale_.item<double>() : new_scale.to(at::kFloat).item<double>();
  } else {
    known_.reset();
  }
  notify(before, Cause::kSet);
}

void GradScaler::set_scale(double scale) {
  const double before = scale_for_listener();
  if (scale_.defined()) scale_.fill_(scale);
  options_.init_scale = scale;
  if (known_) known_->scale = static_cast<double>(static_cast<float>(scale));
  if (options_.enabled) notify(before, Cause::kSet);
}

void GradScaler::set_limits(double minimum, double maximum, std::int64_t hysteresis, bool dynamic) {
  Options options = options_;
  options.minimum = minimum;
  options.maximum = maximum;
  options.hysteresis = hysteresis;
  options.dynamic = dynamic;
  check_limits(options);
  options_ = options;
  if (hysteresis > 1) return;
  // Overflows are not counted without hysteresis, and a later count must start from zero.
  init_overflows_ = 0;
  if (overflows_.defined()) overflows_.zero_();
  if (known_) known_->overflows_in_a_row = 0;
}

double GradScaler::scale_for_listener() const {
  if (!listener_) return 0;
  return known_ ? known_->scale : get_scale();
}

void GradScaler::notify(double from, Cause cause) {
  if (!listener_) return;
  const double to = known_ ? known_->scale : get_scale();
  if (to == from || (std::isnan(to) && std::isnan(from))) return;
  listener_({from, to, cause});
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
