// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trainer.h"

#include "engine/formats/error.h"
#include "engine/train/device.h"
#include "engine/train/evaluation.h"
#include "engine/train/events.h"
#include "engine/train/step.h"
#include "engine/train/training.h"

#include <c10/util/Exception.h>

#include <filesystem>
#include <new>

namespace binade::train {

namespace {

/// Any exception of a step as the message and hint that a person sees.
wire::Finished failure(std::int64_t steps) {
  constexpr const char* kNext =
      "Inspect the model: every op call is listed with its source. A policy in which this op is float32 may run.";
  wire::Finished finished{.outcome = wire::Outcome::kFailed, .steps = steps, .message = {}, .hint = {}};
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  try {
    throw;
  } catch (const Error& error) {
    finished.message = error.what();
    finished.hint = error.hint;
  } catch (const c10::OutOfMemoryError& error) {
    finished.message = "Out of memory: " + first_line(error.what_without_backtrace());
    finished.hint = "Use a smaller batch.";
  } catch (const c10::Error& error) {
    finished.message = "Step " + std::to_string(steps) + ": " + first_line(error.what_without_backtrace());
    finished.hint = kNext;
  } catch (const std::bad_alloc&) {
    finished.message = "Out of memory";
    finished.hint = "Use a smaller batch.";
  } catch (const std::exception& error) {
    finished.message = "Step " + std::to_string(steps) + ": " + first_line(error.what());
    finished.hint = kNext;
  }
  return finished;
}

wire::PolicyApplied applied(const policy::Resolved& resolved, const policy::Policy& policy, std::int64_t step) {
  return {resolved.revision, step, policy, resolved.sites, resolved.findings};
}

}  // namespace

/// The state of one run().
class Trainer::Loop {
 public:
  Loop(Training& training, Listener& listener, Control& control)
      : training_(training), listener_(listener), control_(control), stepper_(training) {}

  wire::Finished run() {
    try {
      return steps();
    } catch (...) {
      return failure(step_);
    }
  }

 private:
  wire::Finished steps() {
    while (step_ < training_.config.steps) {
      Control::Next next = control_.take(state_ == wire::RunState::kPaused);
      apply(next);
      if (next.stop) return ended(next.cancelled ? wire::Outcome::kCancelled : wire::Outcome::kStopped);
      enter(next.paused ? wire::RunState::kPaused : wire::RunState::kRunning);
      if (next.run_step) one_step();
    }
    if (evaluated_at_ != step_) evaluate();
    const bool stopped = control_.stop_requested();  // while evaluating
    return ended(stopped ? (control_.take(false).cancelled ? wire::Outcome::kCancelled : wire::Outcome::kStopped)
                         : wire::Outcome::kCompleted);
  }

  wire::Finished ended(wire::Outcome outcome) const {
    return {.outcome = outcome, .steps = step_, .message = {}, .hint = {}};
  }

  void enter(wire::RunState state) {
    if (state_ == state) return;
    state_ = state;
    listener_.on_state({state, step_});
  }

  /// What was asked of the run, at a step boundary and nowhere else.
  void apply(const Control::Next& next) {
    if (next.policy) {
      training_.policy = resolve(training_, next.policy->policy, next.policy->revision);
      training_.autocast.set_policy(training_.policy);
      listener_.on_policy(applied(*training_.policy, next.policy->policy, step_));
    }
    if (next.scale) set_scale(*next.scale);
    if (next.observe) stepper_.set_observe(*next.observe);
  }

  void set_scale(double scale) {
    if (!training_.scaler.is_enabled()) {
      listener_.on_log({"warning", "The loss scale was not changed: this run's scaler is disabled."});
    } else if (!wire::is_loss_scale(scale)) {
      listener_.on_log({"warning", "The loss scale was not changed: it must be above 0 and finite in float32."});
    } else {
      stepper_.set_scale(scale);
    }
  }

  void one_step() {
    const StepOutcome outcome = stepper_.run(step_);
    listener_.on_step(outcome.record);
    for (const wire::Event& event :
         events_of(outcome.record, stepper_.watched(), training_.info.sites, outcome.bad_parameters)) {
      listener_.on_event(event);
    }
    ++step_;
    const std::int64_t every = training_.config.evaluate_every;
    if (every > 0 && step_ % every == 0) evaluate();
  }

  void evaluate() {
    const auto evaluated = train::evaluate(training_, step_, [this] { return control_.stop_requested(); });
    if (!evaluated) return;
    evaluated_at_ = step_;
    listener_.on_evaluated(*evaluated);
  }

  Training& training_;
  Listener& listener_;
  Control& control_;
  Stepper stepper_;
  std::int64_t step_ = 0;  ///< the next one
  std::int64_t evaluated_at_ = -1;
  wire::RunState state_ = wire::RunState::kLoading;
};

Trainer::Trainer(const wire::RunConfig& config, Listener& listener) : listener_(listener) {
  listener_.on_state({wire::RunState::kLoading, 0});
  try {
    training_ = set_up(config);
  } catch (...) {
    listener_.on_state({wire::RunState::kIdle, 0});
    throw;
  }
}

Trainer::~Trainer() = default;

const graph::Model& Trainer::model() const {
  return training_->model;
}

void Trainer::announce() {
  wire::RunStarted started;
  started.config = training_->config;
  started.model = training_->info;
  started.policy = applied(*training_->policy, training_->config.policy, 0);
  if (!training_->config.run_file.empty()) {
    started.run_file = std::filesystem::absolute(training_->config.run_file).lexically_normal().string();
  }
  started.device = describe(training_->device);
  listener_.on_started(started);
  for (const std::string& warning : training_->info.warnings) listener_.on_log({"warning", warning});
  for (const policy::Finding& finding : training_->policy->findings) {
    listener_.on_log(
        {finding.severity == policy::Finding::Severity::kNote ? "info" : "warning", "policy: " + finding.message});
  }
}

wire::Finished Trainer::run(Control& control) {
  const Deterministic deterministic;
  wire::Finished finished;
  try {
    announce();
    finished = Loop(*training_, listener_, control).run();
  } catch (...) {
    finished = failure(0);
  }
  listener_.on_state({wire::RunState::kFinished, finished.steps});
  listener_.on_finished(finished);
  return finished;
}

wire::Finished run(const wire::RunConfig& config, Listener& listener, Control& control) {
  return Trainer(config, listener).run(control);
}

}  // namespace binade::train
