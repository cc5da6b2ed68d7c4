// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"

#include <c10/util/Exception.h>

#include <string>

namespace binade::scaler {

namespace {

// PyTorch's keys in its order, followed by Binade's.
constexpr const char* kScale = "scale";
constexpr const char* kGrowthFactor = "growth_factor";
constexpr const char* kBackoffFactor = "backoff_factor";
constexpr const char* kGrowthInterval = "growth_interval";
constexpr const char* kGrowthTracker = "_growth_tracker";
constexpr const char* kOverflows = "_overflows_in_a_row";

constexpr const char* kEmpty =
    "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.";

const c10::IValue* find(const GradScaler::StateDict& state, const char* key) {
  const auto entry = state.find(c10::IValue(key));
  return entry == state.end() ? nullptr : &entry->value();
}

c10::Scalar number(const GradScaler::StateDict& state, const char* key) {
  const c10::IValue* value = find(state, key);
  TORCH_CHECK(value, "The source state dict has no '", key, "'.");
  if (value->isTensor()) return value->toTensor().item();
  TORCH_CHECK_TYPE(value->isScalar(), "'", key, "' of the source state dict is not a number but ", value->tagKind(),
                   ".");
  return value->toScalar();
}

std::int64_t count(const GradScaler::StateDict& state, const char* key) {
  const c10::Scalar value = number(state, key);
  TORCH_CHECK_TYPE(value.isIntegral(/*includeBool=*/false), "'", key, "' of the source state dict is not an integer.");
  return value.toLong();
}

void require_all(const GradScaler::StateDict& state) {
  std::string missing;
  for (const char* key : {kScale, kGrowthFactor, kBackoffFactor, kGrowthInterval, kGrowthTracker}) {
    if (!find(state, key)) missing += std::string(missing.empty() ? "'" : ", '") + key + "'";
  }
  TORCH_CHECK(missing.empty(), "The source state dict has no ", missing,
              ". It is not that of a GradScaler; nothing was "
              "loaded.");
}

}  // namespace

double GradScaler::get_scale() const {
  if (!options_.enabled) return 1.0;
  return scale_.defined() ? scale_.item<double>() : options_.init_scale;
}

std::int64_t GradScaler::get_growth_tracker() const {
  if (!options_.enabled) return 0;
  return growth_tracker_.defined() ? growth_tracker_.item<std::int64_t>() : init_growth_tracker_;
}

void GradScaler::set_growth_factor(double factor) {
  options_.growth_factor = factor;
  if (known_) known_->growth_factor = factor;
}

void GradScaler::set_backoff_factor(double factor) {
  options_.backoff_factor = factor;
  if (known_) known_->backoff_factor = factor;
}

void GradScaler::set_growth_interval(std::int64_t interval) {
  tracker_may_pass_ = true;
  options_.growth_interval = interval;
  if (known_) known_->growth_interval = interval;
}

std::optional<State> GradScaler::state() const {
  if (!options_.enabled) return std::nullopt;
  State now{get_scale(),          options_.growth_factor, options_.backoff_factor, options_.growth_interval,
            get_growth_tracker(), init_overflows_};
  if (options_.hysteresis > 1 && overflows_.defined()) now.overflows_in_a_row = overflows_.item<std::int64_t>();
  return now;
}

void GradScaler::load_state(const std::optional<State>& state) {
  if (!options_.enabled) return;
  TORCH_CHECK(state.has_value(), kEmpty);
  StateDict dict = state_dict();
  dict.insert_or_assign(kScale, state->scale);
  dict.insert_or_assign(kGrowthFactor, state->growth_factor);
  dict.insert_or_assign(kBackoffFactor, state->backoff_factor);
  dict.insert_or_assign(kGrowthInterval, state->growth_interval);
  dict.insert_or_assign(kGrowthTracker, state->growth_tracker);
  dict.insert_or_assign(kOverflows, state->overflows_in_a_row);
  load_state_dict(dict);
}

GradScaler::StateDict GradScaler::state_dict() const {
  StateDict dict(c10::StringType::get(), c10::AnyType::get());
  const auto now = state();
  if (!now) return dict;
  dict.insert(kScale, now->scale);
  dict.insert(kGrowthFactor, now->growth_factor);
  dict.insert(kBackoffFactor, now->backoff_factor);
  dict.insert(kGrowthInterval, now->growth_interval);
  dict.insert(kGrowthTracker, now->growth_tracker);
  if (options_.hysteresis > 1) dict.insert(kOverflows, now->overflows_in_a_row);
  return dict;
}

void GradScaler::load_state_dict(const StateDict& state) {
  if (!options_.enabled) return;
  TORCH_CHECK(!state.empty(), kEmpty);
  if (fixed()) require_all(state);
  // One by one, as in PyTorch, where a missing entry leaves the earlier ones loaded.
  const double before = scale_for_listener();
  const c10::Scalar scale = number(state, kScale);
  options_.init_scale = scale.toDouble();
  if (scale_.defined()) scale_.fill_(scale);
  if (known_) known_->scale = static_cast<double>(static_cast<float>(scale.toDouble()));
  set_growth_factor(number(state, kGrowthFactor).toDouble());
  set_backoff_factor(number(state, kBackoffFactor).toDouble());
  set_growth_interval(count(state, kGrowthInterval));
  init_growth_tracker_ = count(state, kGrowthTracker);
  if (growth_tracker_.defined()) growth_tracker_.fill_(init_growth_tracker_);
  if (known_) known_->growth_tracker = init_growth_tracker_;
  init_overflows_ = options_.hysteresis > 1 && find(state, kOverflows) ? count(state, kOverflows) : 0;
  if (overflows_.defined()) overflows_.fill_(init_overflows_);
  if (known_) known_->overflows_in_a_row = init_overflows_;
  notify(before, Cause::kLoaded);
}

}  // namespace binade::scaler
