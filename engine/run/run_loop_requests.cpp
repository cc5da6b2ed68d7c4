// SPDX-License-Identifier: Apache-2.0
// Requests to a run, processed between two steps.
#include "engine/casts/policy_savings.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/compare/compare_float32.h"
#include "engine/compare/what_if_formats.h"
#include "engine/formats/error.h"
#include "engine/ranks/shared_file.h"
#include "engine/run/run_loop.h"
#include "engine/train/switch_policy.h"

#include <exception>

namespace binade::run {

void RunLoop::apply(const Control::Next& next) {
  if (next.policy) apply_policy(*next.policy);
  apply_scales(next);
  if (next.observe) stepper_.set_observe(*next.observe);
  if (next.profile) {
    stepper_.set_profile(*next.profile);
    listener_.receive(*next.profile);
  }
  for (const Control::FileRequest& request : next.files) meet(request);
  for (const Control::CompareDone& done : next.comparisons) compare(done);
  for (const Control::SavingsRequest& request : next.savings) measure_savings(request);
  for (const Control::WhatIfRequest& request : next.what_ifs) measure_what_if(request);
}

void RunLoop::apply_policy(const wire::PolicySet& policy) {
  keep_checkpoint("edit");
  put_in_force(policy);
  listener_.receive(
      wire::PolicyApplied{policy.revision, step_, policy.policy, training_.policy->sites, training_.policy->findings});
}

void RunLoop::put_in_force(const wire::PolicySet& policy) {
  train::switch_policy(training_, policy.policy, policy.revision);
  stepper_.unused_rules().watch();
  casts_.reset();
  policy_since_ = step_;
  kept_at_ = -1;  // saved with another policy
  silent_.begin(policy.revision, step_);
  fixes_.applied(policy.policy, step_);
}

void RunLoop::apply_scales(const Control::Next& next) {
  const auto refused = [this](const std::string& why) {
    listener_.receive(wire::LogLine{"warning", "The loss scale: " + why});
  };
  const auto changed = [this](std::size_t i) {
    kept_at_ = -1;  // saved with another scaler
    listener_.receive(wire::ScalerChanged{step_, training_.scalers.config(i), training_.scalers.scale(i)});
  };
  for (const auto& [id, scale] : next.scales) {
    try {
      const std::size_t i = training_.scalers.index_of(id);
      if (!training_.scalers.enabled(i)) {
        refused("it was not changed, since this run's scaler is disabled.");
      } else if (!wire::is_loss_scale(scale)) {
        refused("it was not changed, since it must be above 0 and finite in float32.");
      } else {
        training_.scalers.set_scale(i, scale);
        changed(i);
      }
    } catch (const Error& error) {
      refused(error.what());
    }
  }
  for (const wire::ScalerConfig& config : next.scalers) {
    try {
      const std::size_t i = training_.scalers.index_of(config.id);
      training_.scalers.tune(config);
      changed(i);
    } catch (const std::exception& error) {
      refused(error.what());
    }
  }
}

void RunLoop::meet(const Control::FileRequest& request) {
  using Kind = Control::FileRequest::Kind;
  std::optional<wire::CheckpointInfo> saved;
  std::exception_ptr failed;
  try {
    switch (request.kind) {
      case Kind::kSaveCheckpoint:
        if (request.file.empty() && !folder_.kept()) {
          throw Error(ErrorCode::kUsage, "This run keeps no checkpoints", "Name a file, or set checkpoint.folder.");
        }
        saved = save(request.reason, request.file);
        break;
      case Kind::kLoadCheckpoint:
        load(request);
        break;
      case Kind::kSaveModel:
        checkpoint::save_trained_model(training_, request.file);
        break;
    }
  } catch (...) {
    failed = std::current_exception();
  }
  if (request.done) request.done(saved, failed);
  if (failed && !training_.whole)
    std::rethrow_exception(failed);  // the state is inconsistent, so the run cannot
                                     // continue
}

void RunLoop::compare(const Control::CompareDone& done) {
  std::optional<wire::Float32Comparison> compared;
  std::exception_ptr failed;
  try {
    compared = compare::compare_with_float32(training_, step_);
    listener_.receive(*compared);
  } catch (...) {
    failed = std::current_exception();
  }
  done(compared, failed);
}

void RunLoop::measure_savings(const Control::SavingsRequest& request) {
  std::optional<wire::Savings> savings;
  std::exception_ptr failed;
  try {
    savings = casts::policy_savings(training_, request.policy, step_);
  } catch (...) {
    failed = std::current_exception();
  }
  request.done(savings, failed);
}

void RunLoop::measure_what_if(const Control::WhatIfRequest& request) {
  std::optional<wire::WhatIf> what_if;
  std::exception_ptr failed;
  try {
    what_if = compare::what_if_formats(training_, request.asked, step_);
  } catch (...) {
    failed = std::current_exception();
  }
  request.done(what_if, failed);
}

void RunLoop::load(const Control::FileRequest& request) {
  checkpoint::Resumed resumed;
  try {
    resumed = checkpoint::load_checkpoint(training_, request.file);
  } catch (...) {
    if (shared_ != nullptr) ranks::SharedFile(shared_->group(), {});
    throw;
  }
  if (shared_ != nullptr) ranks::SharedFile(shared_->group(), request.file);
  step_ = resumed.step;
  last_loss_.reset();
  kept_at_ = step_;
  evaluated_at_ = -1;
  not_finite_ = 0;
  listener_.receive(wire::Rewound{step_, request.file});
  for (std::size_t i = 0; i < training_.scalers.size(); ++i) {  // reports the restored scalers
    if (training_.scalers.enabled(i)) {
      listener_.receive(wire::ScalerChanged{step_, training_.scalers.config(i), training_.scalers.scale(i)});
    }
  }
  for (const std::string& note : resumed.notes)
    listener_.receive(wire::LogLine{"warning", request.file + ": " + note + "."});
  fixes_.rewound();
  if (request.policy) put_in_force(*request.policy);
  fixes_.applied(training_.config.policy, step_);  // the checkpoint's own policy unless one was requested
  silent_.begin(training_.policy->revision, step_);
  casts_.reset();
  policy_since_ = step_;
  listener_.receive(wire::PolicyApplied{training_.policy->revision, step_, training_.config.policy,
                                        training_.policy->sites, training_.policy->findings});
}

}  // namespace binade::run
