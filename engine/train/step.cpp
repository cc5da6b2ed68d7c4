// SPDX-License-Identifier: Apache-2.0
#include "engine/train/step.h"

#include "engine/formats/error.h"
#include "engine/scaler/scale_rule.h"
#include "engine/train/optimizer.h"
#include "engine/train/output_path.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/stack.h>
#include <torch/optim/optimizer.h>

#include <array>
#include <chrono>
#include <cmath>
#include <limits>

namespace binade::train {

namespace {

observe::Level level_of(const wire::ObserveConfig& config, std::int64_t step) {
  if (config.level == "off") return observe::Level::kOff;
  const bool histograms = config.level == "histogram" && step % std::max<std::int64_t>(config.every, 1) == 0;
  return histograms ? observe::Level::kHistogram : observe::Level::kFinite;
}

wire::WatchedTensor to_wire(const observe::Watched& watched) {
  wire::WatchedTensor tensor;
  tensor.id = watched.id;
  tensor.site = watched.site;
  switch (watched.kind) {
    case observe::Watched::Kind::kOutput:
      tensor.kind = wire::WatchedTensor::Kind::kOutput;
      break;
    case observe::Watched::Kind::kOutputGradient:
      tensor.kind = wire::WatchedTensor::Kind::kOutputGradient;
      break;
    case observe::Watched::Kind::kInputGradient:
      tensor.kind = wire::WatchedTensor::Kind::kInputGradient;
      break;
  }
  tensor.argument = watched.argument;
  tensor.format = watched.format;
  tensor.emulated = watched.emulated;
  return tensor;
}

/// Drops the cast cache also where the forward throws.
class CastScope {
 public:
  explicit CastScope(autocast::Autocast& autocast) : autocast_(autocast) { autocast_.begin(); }
  ~CastScope() { autocast_.end(); }
  CastScope(const CastScope&) = delete;
  CastScope& operator=(const CastScope&) = delete;

 private:
  autocast::Autocast& autocast_;
};

}  // namespace

Stepper::Stepper(Training& training) : training_(training), observe_(training.config.observe) {
  if (const auto state = training_.scaler.state()) scale_state_ = *state;
  if (!training_.scaler.is_enabled()) scale_state_.scale = 1;
}

void Stepper::set_scale(double scale) {
  training_.scaler.set_scale(scale);
  scale_state_.scale = static_cast<double>(static_cast<float>(scale));
}

at::Tensor Stepper::forward_and_loss(const Batch& batch) {
  // The observer is inside: it sees values before an emulated format rounds them.
  std::array<graph::SiteHook*, 2> hooks{&training_.autocast, &training_.observer};
  const CastScope scope(training_.autocast);  // one cache over forward and loss, gone before backward
  const at::Tensor output = select_output(training_.forward.run(batch.inputs, hooks), training_.config.output);
  at::Tensor loss = training_.loss(output, training_.loss.takes_target() ? batch.target() : at::Tensor(), hooks);
  if (!loss.requires_grad()) {
    throw Error(ErrorCode::kBadModel, "The loss does not depend on any trainable parameter",
                "The model may detach its output or run under no_grad; or choose another part with \"output\".");
  }
  return loss;
}

StepOutcome Stepper::run(std::int64_t step) {
  const auto start = std::chrono::steady_clock::now();
  StepOutcome outcome;
  wire::StepRecord& record = outcome.record;
  record.step = step;
  record.policy_revision = training_.policy->revision;
  record.learning_rate = learning_rate(*training_.optimizer);
  record.scale = scale_state_.scale;

  const Batch batch = on_device(training_, training_.data->next());
  training_.observer.begin(level_of(observe_, step), training_.policy);
  training_.optimizer->zero_grad();
  const at::Tensor loss = forward_and_loss(batch);
  training_.scaler.scale(loss).backward();
  training_.scaler.unscale_(*training_.optimizer);
  const auto result = training_.scaler.step(*training_.optimizer, {loss.detach(), gradient_norm()});
  training_.scaler.update();

  record.loss = result.beside[0];
  record.found_inf = result.found_inf;
  record.stepped = result.stepped;
  if (!result.found_inf && std::isfinite(result.beside[1])) record.gradient_norm = result.beside[1];
  if (training_.scaler.is_enabled()) scale_state_ = scaler::after_update(scale_state_, result.found_inf);
  record.next_scale = scale_state_.scale;
  if (result.found_inf) outcome.bad_parameters = bad_parameters();
  add_observations(record);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

at::Tensor Stepper::gradient_norm() const {
  const at::NoGradGuard no_history;
  std::vector<at::Tensor> gradients;
  for (const auto& [name, parameter] : training_.trainable) {
    const at::Tensor& gradient = parameter.grad();
    if (gradient.defined()) gradients.push_back(gradient.is_sparse() ? gradient._values() : gradient);
  }
  if (gradients.empty()) {
    throw Error(ErrorCode::kBadModel, "Backward gave no parameter a gradient",
                "The model's output may not depend on its parameters.");
  }
  return at::stack(at::_foreach_norm(gradients)).norm();
}

std::vector<std::string> Stepper::bad_parameters() const {
  const at::NoGradGuard no_history;
  std::vector<std::string> names;
  std::vector<at::Tensor> finite;
  for (const auto& [name, parameter] : training_.trainable) {
    const at::Tensor& gradient = parameter.grad();
    if (!gradient.defined()) continue;
    names.push_back(name);
    finite.push_back(at::isfinite(gradient.is_sparse() ? gradient._values() : gradient).all());
  }
  const at::Tensor home = at::stack(finite).cpu();
  std::vector<std::string> bad;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!home.const_data_ptr<bool>()[i]) bad.push_back(names[i]);
  }
  return bad;
}

void Stepper::add_observations(wire::StepRecord& record) {
  for (observe::Seen& seen : training_.observer.finish()) {
    record.observations.push_back({seen.tensor, std::move(seen.stats)});
  }
  const auto& all = training_.observer.watched();
  for (std::size_t i = watched_.size(); i < all.size(); ++i) {
    watched_.push_back(to_wire(all[i]));
    record.new_tensors.push_back(watched_.back());
  }
  record.observe_seconds = training_.observer.seconds();
}

}  // namespace binade::train
