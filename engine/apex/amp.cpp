// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/amp.h"

#include "engine/apex/optimizer.h"
#include "engine/apex/shared.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_format.h"

#include <cstdio>
#include <exception>

namespace binade::apex {

namespace {

at::ScalarType dtype_of_cast(const formats::Format& format) {
  if (const at::ScalarType dtype = graph::dtype_of(format); dtype != at::ScalarType::Undefined) return dtype;
  throw Error(ErrorCode::kUsage, "cast_model_type: LibTorch stores no model in " + formats::name(format),
              "Use float32, float16 or bfloat16.");
}

void print_lines(const Amp::Shared& shared) {
  for (const std::string& line : policy::apex_lines(shared.properties)) shared.print(line);
}

}  // namespace

void Amp::Shared::print(const std::string& line) const {
  if (options.verbosity < 1) return;
  if (options.print) {
    options.print(line);
  } else {
    std::puts(line.c_str());
  }
}

Amp::Amp(const Options& options) : shared_(std::make_shared<Shared>()) {
  Shared& shared = *shared_;
  shared.options = options;
  if (!options.enabled) return;
  if (options.num_losses < 1) {
    throw Error(ErrorCode::kUsage, "num_losses is " + std::to_string(options.num_losses) + ": there is at least one",
                "Set it to the number of separately scaled losses, or leave it at 1.");
  }
  const std::string& level = options.opt_level;
  shared.properties = policy::apex_defaults(level);
  shared.print("Selected optimization level " + level + ":  " + std::string(policy::apex_brief(level)));
  shared.print("Defaults for this optimization level are:");
  print_lines(shared);
  std::function<void(const std::string&)> warn;
  if (options.hard_override) warn = [&shared](const std::string& line) { shared.print(line); };
  shared.properties = policy::apex_properties(level,
                                              {.cast_model_type = options.cast_model_type,
                                               .patch_torch_functions = options.patch_torch_functions,
                                               .keep_batchnorm_fp32 = options.keep_batchnorm_fp32,
                                               .master_weights = options.master_weights,
                                               .loss_scale = options.loss_scale},
                                              warn);
  if (shared.properties.model_format()) dtype_of_cast(*shared.properties.model_format());
  shared.print("Processing user overrides (additional kwargs that are not None)...");
  shared.print("After processing overrides, optimization options are:");
  print_lines(shared);
  const scaler::ApexScalerOptions scaling{.static_scale = shared.properties.loss_scale,
                                          .min_scale = options.min_loss_scale,
                                          .max_scale = options.max_loss_scale};
  for (int i = 0; i < options.num_losses; ++i) shared.scalers.emplace_back(scaling);
}

const policy::ApexProperties& Amp::properties() const {
  return shared_->properties;
}

std::optional<at::ScalarType> Amp::input_dtype() const {
  if (!is_enabled() || !properties().model_format()) return std::nullopt;
  return dtype_of_cast(*properties().model_format());
}

std::optional<at::ScalarType> Amp::output_dtype() const {
  if (!is_enabled()) return std::nullopt;
  if (shared_->options.cast_model_outputs) return shared_->options.cast_model_outputs;
  return input_dtype() ? std::optional(at::kFloat) : std::nullopt;
}

ScaledLoss Amp::scale_loss(const at::Tensor& loss, Optimizer& optimizer, const ScaleOptions& options) const {
  return scale_loss(loss, std::vector<Optimizer*>{&optimizer}, options);
}

struct ScaledLoss::Work {
  std::shared_ptr<Amp::Shared> shared;
  std::vector<Optimizer*> optimizers;
  ScaleOptions options;
};

ScaledLoss Amp::scale_loss(const at::Tensor& loss, const std::vector<Optimizer*>& optimizers,
                           const ScaleOptions& options) const {
  if (!is_enabled()) return {loss, nullptr};
  const int loss_id = options.loss_id;
  if (loss_id < 0 || loss_id >= static_cast<int>(shared_->scalers.size())) {
    throw Error(
        ErrorCode::kUsage,
        "loss_id " + std::to_string(loss_id) + " is outside [0, " + std::to_string(shared_->scalers.size()) + ")",
        "Pass the number of losses to initialize(), as num_losses.");
  }
  const scaler::ApexScaler& scaler = shared_->scalers[static_cast<std::size_t>(loss_id)];
  // Nothing to scale, unscale or skip.
  if (!properties().has_master_weights() && !scaler.is_dynamic() && scaler.loss_scale() == 1.0) {
    return {loss.to(at::kFloat), nullptr};
  }
  for (Optimizer* optimizer : optimizers) optimizer->prepare_backward();
  auto work = std::make_unique<ScaledLoss::Work>(ScaledLoss::Work{shared_, optimizers, options});
  return {loss.to(at::kFloat).mul(scaler.loss_scale()), std::move(work)};
}

ScaledLoss::ScaledLoss(at::Tensor scaled, std::unique_ptr<Work> work)
    : scaled_(std::move(scaled)), work_(std::move(work)), exceptions_(std::uncaught_exceptions()) {}
ScaledLoss::ScaledLoss(ScaledLoss&&) noexcept = default;

ScaledLoss::~ScaledLoss() noexcept(false) {
  if (!work_) return;
  if (std::uncaught_exceptions() == exceptions_) {
    finish();
  } else {
    for (Optimizer* optimizer : work_->optimizers) optimizer->abandon_backward();
  }
}

void ScaledLoss::finish() {
  if (!work_) return;
  const std::unique_ptr<Work> work = std::move(work_);
  if (work->options.delay_unscale) {
    for (Optimizer* optimizer : work->optimizers) optimizer->holds_scaled_gradients_ = true;
    return;
  }
  scaler::ApexScaler& scaler = work->shared->scalers[static_cast<std::size_t>(work->options.loss_id)];
  scaler.clear_overflow();
  for (Optimizer* optimizer : work->optimizers) optimizer->post_backward(scaler);
  if (work->options.delay_overflow_check || !scaler.update()) return;
  for (Optimizer* optimizer : work->optimizers) {
    if (!optimizer->skip_) optimizer->skip_ = Optimizer::Skip{work->options.loss_id, &scaler};
  }
}

Amp::State Amp::state_dict() const {
  State state;
  for (std::size_t i = 0; i < shared_->scalers.size(); ++i) {
    state.emplace_back("loss_scaler" + std::to_string(i), shared_->scalers[i].state());
  }
  return state;
}

void Amp::load_state_dict(const State& state) {
  std::string unexpected;
  for (const auto& [name, value] : state) {
    if (name.find("loss_scaler") == std::string::npos) unexpected += (unexpected.empty() ? "" : ", ") + name;
  }
  if (!unexpected.empty()) {
    throw Error(ErrorCode::kUsage, "Error(s) in loading state_dict. Unexpected key(s) in state_dict: " + unexpected,
                "Pass the result of Amp::state_dict(): its keys are loss_scaler0, loss_scaler1, ...");
  }
  std::vector<scaler::ApexScaler>& scalers = shared_->scalers;
  if (state.size() != scalers.size()) {
    shared_->print("Warning: state_dict contains " + std::to_string(state.size()) + " entries, while " +
                   std::to_string(scalers.size()) + " loss_scalers are used");
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (i >= scalers.size()) {
      shared_->print("Skipping loss_scaler[" + std::to_string(i) + "], since num_losses was set to " +
                     std::to_string(scalers.size()));
      break;
    }
    scalers[i].load_state(state[i].second);
  }
}

const scaler::ApexScaler& Amp::loss_scaler(int loss_id) const {
  return shared_->scalers.at(static_cast<std::size_t>(loss_id));
}

}  // namespace binade::apex
