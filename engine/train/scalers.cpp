// SPDX-License-Identifier: Apache-2.0
#include "engine/train/scalers.h"

#include "engine/formats/error.h"
#include "engine/scaler/scale_rule.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <utility>

namespace binade::train {

namespace {

scaler::Options options_of(const wire::ScalerConfig& config) {
  scaler::Options options;
  options.init_scale = config.init_scale;
  options.growth_factor = config.growth_factor;
  options.backoff_factor = config.backoff_factor;
  options.growth_interval = config.growth_interval;
  options.enabled = config.enabled;
  options.minimum = config.minimum;
  options.maximum = config.maximum;
  options.hysteresis = config.hysteresis;
  options.dynamic = !config.fixed;
  return options;
}

scaler::State state_of(const scaler::GradScaler& scaler) {
  if (auto state = scaler.state()) {
    state->scale = static_cast<double>(static_cast<float>(state->scale));  // rounded as on the device
    return *state;
  }
  scaler::State disabled;
  disabled.scale = 1;
  return disabled;
}

}  // namespace

Scalers::Scalers(const std::vector<wire::ScalerConfig>& configs) {
  for (const wire::ScalerConfig& config : configs) {
    scaler::GradScaler scaler(options_of(config));
    const scaler::State state = state_of(scaler);
    scaler::WatchOptions watch;
    watch.growth_interval = config.growth_interval;
    all_.push_back({config, std::move(scaler), state, scaler::ScaleWatch(watch), {}, false});
  }
}

std::size_t Scalers::index_of(const std::string& id) const {
  if (id.empty()) return 0;
  std::string known;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].config.id == id) return i;
    known += (i == 0 ? "" : ", ") + all_[i].config.id;
  }
  throw Error(ErrorCode::kUsage, "This run has no scaler \"" + id + "\"",
              all_.size() == 1 ? "It has one scaler, without a name." : "It has " + known + ".");
}

bool Scalers::any_enabled() const {
  return std::any_of(all_.begin(), all_.end(), [](const One& one) { return one.config.enabled; });
}

std::string Scalers::held_by(std::size_t i) const {
  const One& one = all_[i];
  if (!one.config.enabled) return {};
  if (one.config.fixed) return "it is a fixed scale";
  return one.config.minimum > 0 && one.state.scale <= one.config.minimum ? "it is at its floor, the minimum" : "";
}

void Scalers::set_scale(std::size_t i, double scale) {
  all_[i].scaler.set_scale(scale);
  all_[i].state.scale = static_cast<double>(static_cast<float>(scale));
  all_[i].watch.scale_was_set();
}

void Scalers::tune(const wire::ScalerConfig& config) {
  One& one = all_[index_of(config.id)];
  wire::ScalerConfig wanted = config;
  wanted.enabled = one.config.enabled;
  wanted.init_scale = one.config.init_scale;
  one.scaler.set_limits(wanted.minimum, wanted.maximum, wanted.hysteresis, !wanted.fixed);
  one.scaler.set_growth_factor(wanted.growth_factor);
  one.scaler.set_backoff_factor(wanted.backoff_factor);
  one.scaler.set_growth_interval(wanted.growth_interval);
  one.watch.set_growth_interval(wanted.growth_interval);
  one.state.growth_factor = wanted.growth_factor;
  one.state.backoff_factor = wanted.backoff_factor;
  one.state.growth_interval = wanted.growth_interval;
  if (wanted.hysteresis <= 1) one.state.overflows_in_a_row = 0;
  one.config = wanted;
}

void Scalers::load(std::size_t i, const scaler::State& state) {
  One& one = all_[i];
  if (!one.config.enabled) return;
  one.scaler.load_state(state);
  one.state = state;
  if (one.config.hysteresis <= 1) one.state.overflows_in_a_row = 0;
  one.config.growth_factor = state.growth_factor;
  one.config.backoff_factor = state.backoff_factor;
  one.config.growth_interval = state.growth_interval;
}

void Scalers::begin(const std::vector<at::Tensor>& parameters) {
  parameters_ = parameters;
  for (One& one : all_) {
    one.gradients.clear();
    if (all_.size() > 1) one.gradients.resize(parameters_.size());
  }
}

void Scalers::swap_gradients(One& one) {
  if (all_.size() == 1) return;
  for (std::size_t k = 0; k < parameters_.size(); ++k) std::swap(parameters_[k].mutable_grad(), one.gradients[k]);
}

void Scalers::backward(std::size_t i, const at::Tensor& loss, bool keep_graph) {
  One& one = all_[i];
  swap_gradients(one);
  one.scaler.scale(loss).backward({}, keep_graph);
  swap_gradients(one);
}

void Scalers::with_gradients(const std::function<void()>& action) {
  for (One& one : all_) {
    swap_gradients(one);
    action();
    swap_gradients(one);
  }
}

std::vector<at::Tensor> Scalers::unscale(torch::optim::Optimizer& optimizer) {
  std::vector<at::Tensor> found_inf;
  for (One& one : all_) {
    swap_gradients(one);
    one.scaler.unscale_(optimizer);
    swap_gradients(one);
    const auto found = one.scaler.found_inf(optimizer);  // a training uses one device
    one.checked = !found.empty();
    found_inf.push_back(one.checked ? found.front() : at::Tensor());
  }
  if (all_.size() == 1) return found_inf;
  const at::NoGradGuard no_history;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    at::Tensor& sum = parameters_[k].mutable_grad();
    for (One& one : all_) {
      at::Tensor part = std::exchange(one.gradients[k], {});
      if (!part.defined()) continue;
      sum = sum.defined() ? sum.add_(part) : part;
    }
  }
  return found_inf;
}

void Scalers::update(const std::vector<bool>& found_inf) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    One& one = all_[i];
    if (!one.checked) continue;
    one.checked = false;
    one.scaler.update();
    one.state = scaler::after_update(one.state, found_inf[i], one.scaler.options());
  }
}

void Scalers::abandon() {
  for (One& one : all_) {
    for (at::Tensor& gradient : one.gradients) gradient.reset();
    one.checked = false;
    // Keeps the scale; only the scaler's record of the optimizer is cleared.
    if (one.config.enabled && one.scaler.scale_tensor().defined()) one.scaler.update(one.scaler.scale_tensor().clone());
  }
}

std::optional<scaler::ScaleWarning> Scalers::watch(std::size_t i, const scaler::WatchedStep& step) {
  return all_[i].config.enabled ? all_[i].watch.step(step) : std::nullopt;
}

}  // namespace binade::train
