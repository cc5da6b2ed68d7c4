// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_loop.h"

#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/train/call_rules.h"
#include "engine/train/checkpoint.h"
#include "engine/train/compare_float32.h"
#include "engine/train/evaluation.h"
#include "engine/train/events.h"
#include "engine/train/model_state.h"
#include "engine/train/notices.h"

#include <c10/util/Exception.h>

#include <cmath>
#include <new>

namespace binade::train {

RunLoop::RunLoop(Training& training, CheckpointFolder& folder, std::int64_t first_step, Listener& listener,
                 Control& control)
    : training_(training),
      folder_(folder),
      listener_(listener),
      control_(control),
      stepper_(training),
      casts_(training),
      silent_(training.info.sites),
      step_(first_step),
      policy_since_(first_step) {
  training_.autocast.count_calls();  // what was tried at set-up is no step
  silent_.begin(training.policy->revision, first_step);
}

wire::Finished RunLoop::run() {
  wire::Finished finished;
  try {
    finished = steps();
    if (step_ > policy_since_ + 1) tell_missed_calls();
  } catch (...) {
    finished = training_.whole ? failure(step_) : half_stepped();
  }
  if (wire::SilentReport report = silent_.report(); report.looked > 0) listener_.on_silent(report);
  if (kept_at_ != step_ && training_.whole) keep_checkpoint("end");
  control_.close();
  return finished;
}

wire::Finished RunLoop::steps() {
  if (training_.config.profile.level != "off") listener_.on_profiling(training_.config.profile);
  while (step_ < training_.config.steps) {
    const Control::Next next = control_.take(state_ == wire::RunState::kPaused);
    apply(next);
    if (next.stop) return ended(next.cancelled ? wire::Outcome::kCancelled : wire::Outcome::kStopped);
    enter(next.paused ? wire::RunState::kPaused : wire::RunState::kRunning);
    if (next.run_step && step_ < training_.config.steps) one_step();
    if (gave_up_) {
      wire::Finished finished = ended(wire::Outcome::kFailed);
      finished.message = gave_up_->sentence;
      finished.hint = folder_.kept() ? "The last checkpoint holds the state before it." : "";
      return finished;
    }
  }
  if (evaluated_at_ != step_) evaluate();
  const Control::Next last = control_.take(false);  // asked for while the last step or the evaluation ran
  apply(last);
  if (last.stop) return ended(last.cancelled ? wire::Outcome::kCancelled : wire::Outcome::kStopped);
  if (step_ < training_.config.steps) return steps();  // back to an earlier checkpoint
  return ended(wire::Outcome::kCompleted);
}

wire::Finished RunLoop::ended(wire::Outcome outcome) const {
  return {.outcome = outcome, .steps = step_, .message = {}, .hint = {}};
}

void RunLoop::enter(wire::RunState state) {
  if (state_ == state) return;
  state_ = state;
  listener_.on_state({state, step_});
}

void RunLoop::apply(const Control::Next& next) {
  if (next.policy) apply_policy(*next.policy);
  apply_scales(next);
  if (next.observe) stepper_.set_observe(*next.observe);
  if (next.profile) {
    stepper_.set_profile(*next.profile);
    listener_.on_profiling(*next.profile);
  }
  for (const Control::FileRequest& request : next.files) meet(request);
  for (const Control::CompareDone& done : next.comparisons) compare(done);
}

void RunLoop::apply_policy(const wire::PolicySet& policy) {
  keep_checkpoint("edit");
  put_in_force(policy);
  listener_.on_policy({policy.revision, step_, policy.policy, training_.policy->sites, training_.policy->findings});
}

void RunLoop::put_in_force(const wire::PolicySet& policy) {
  training_.policy = resolve(training_, policy.policy, policy.revision);
  training_.config.policy = policy.policy;
  training_.autocast.set_policy(training_.policy);
  casts_.reset();
  policy_since_ = step_;
  kept_at_ = -1;  // with another policy
  silent_.begin(policy.revision, step_);
  fixes_.applied(policy.policy, step_);
}

void RunLoop::tell_missed_calls() {
  for (const std::string& sentence : calls_that_did_not_come(training_, policy_since_, step_ - 1)) {
    listener_.on_log({"warning", "policy: " + sentence});
  }
}

void RunLoop::apply_scales(const Control::Next& next) {
  const auto refused = [this](const std::string& why) { listener_.on_log({"warning", "The loss scale: " + why}); };
  const auto changed = [this](std::size_t i) {
    kept_at_ = -1;  // with another scaler
    listener_.on_scaler({step_, training_.scalers.config(i), training_.scalers.scale(i)});
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
        saved = save("asked", request.file);
        break;
      case Kind::kLoadCheckpoint:
        load(request);
        break;
      case Kind::kSaveModel:
        save_model(training_.model, request.file);
        break;
    }
  } catch (...) {
    failed = std::current_exception();
  }
  if (request.done) request.done(saved, failed);
}

void RunLoop::compare(const Control::CompareDone& done) {
  std::optional<wire::Float32Comparison> compared;
  std::exception_ptr failed;
  try {
    compared = compare_with_float32(training_, step_);
    listener_.on_comparison(*compared);
  } catch (...) {
    failed = std::current_exception();
  }
  done(compared, failed);
}

void RunLoop::load(const Control::FileRequest& request) {
  const Resumed resumed = load_checkpoint(training_, request.file);
  step_ = resumed.step;
  last_loss_.reset();
  kept_at_ = step_;
  evaluated_at_ = -1;
  not_finite_ = 0;
  listener_.on_rewound({step_, request.file});
  for (std::size_t i = 0; i < training_.scalers.size(); ++i) {  // as they were then
    if (training_.scalers.enabled(i)) {
      listener_.on_scaler({step_, training_.scalers.config(i), training_.scalers.scale(i)});
    }
  }
  for (const std::string& note : resumed.notes) listener_.on_log({"warning", request.file + ": " + note + "."});
  if (request.policy) put_in_force(*request.policy);
  silent_.begin(training_.policy->revision, step_);
  casts_.reset();
  policy_since_ = step_;
  listener_.on_policy({training_.policy->revision, step_, training_.config.policy, training_.policy->sites,
                       training_.policy->findings});
}

void RunLoop::one_step() {
  StepOutcome outcome;
  try {
    outcome = stepper_.run(step_);
  } catch (const Error& error) {
    if (error.code != ErrorCode::kOutOfMemory || !training_.whole) throw;
    out_of_memory(error.what());
    return;
  } catch (const std::exception& error) {
    if (!graph::is_out_of_memory(error) || !training_.whole) throw;
    out_of_memory("backward");
    return;
  }
  // Before anybody hears of it: should that fail, the last checkpoint is of the state after this step.
  last_loss_ = outcome.record.loss;
  ++step_;
  tell(outcome);
  tell_casts(outcome.record);
  tell_silent(outcome);
  if (step_ == policy_since_ + 1) tell_missed_calls();
  judge(outcome);
  const std::int64_t every = training_.config.evaluate_every;
  if (every > 0 && step_ % every == 0) evaluate();
  const std::int64_t keep = training_.config.checkpoint.every;
  if (keep > 0 && step_ % keep == 0 && kept_at_ != step_) keep_checkpoint("step");
}

void RunLoop::tell(const StepOutcome& outcome) {
  const wire::StepRecord& record = outcome.record;
  listener_.on_step(record);
  if (outcome.times) listener_.on_times(*outcome.times);
  auto events = events_of(record, stepper_.watched(), training_.info.sites, outcome.bad_parameters);
  if (outcome.diagnosis) {
    add_diagnosis(events, record, *outcome.diagnosis, training_.info.sites);
    fixes_.proposed(*outcome.diagnosis);
  }
  const wire::Diagnosis* diagnosis = outcome.diagnosis ? &*outcome.diagnosis : nullptr;
  if (auto held = fixes_.step(record, diagnosis, training_.info.sites)) events.push_back(std::move(*held));
  for (const wire::Event& event : events) listener_.on_event(event);
  if (outcome.withheld && std::isfinite(record.loss)) {
    const auto& bad = outcome.bad_parameters;
    listener_.on_event(
        clip_refused(record.step, record.scale, bad.empty() ? "" : bad.front(), training_.config.clip.norm > 0));
  }
  for (const auto& warning : outcome.warnings) listener_.on_event(scale_warning(warning));
}

void RunLoop::tell_casts(const wire::StepRecord& record) {
  casts_.stepped(record.step, record.seconds);
  if (!casts_.due()) return;
  try {
    listener_.on_casts(casts_.take());
  } catch (const std::exception& error) {
    listener_.on_log({"warning", std::string("What casts cost cannot be told. ") + error.what()});
  }
}

void RunLoop::tell_silent(const StepOutcome& outcome) {
  tell_silent(silent_.step(outcome.record, stepper_.watched(), outcome.silent));
  if (!silent_.wants_comparison()) return;
  std::optional<wire::Float32Comparison> compared;
  try {
    compared = compare_with_float32(training_, step_);
  } catch (const std::exception&) {
    // It needs more memory than a step: the suspicion then stands as a bound.
  }
  tell_silent(silent_.compared(compared ? &*compared : nullptr, stepper_.watched()));
}

void RunLoop::tell_silent(const std::vector<wire::Event>& events) {
  if (events.empty()) return;
  for (const wire::Event& event : events) listener_.on_event(event);
  listener_.on_silent(silent_.report());
}

void RunLoop::judge(const StepOutcome& outcome) {
  const wire::StepRecord& record = outcome.record;
  if (std::isfinite(record.loss)) {
    not_finite_ = 0;
    return;
  }
  ++not_finite_;
  const bool scaled = training_.scalers.any_enabled();
  const std::int64_t most = training_.config.diverged_after;
  if (most == 0 || (scaled && not_finite_ < most)) return;
  pause_itself(diverged(record.step, record.scale, record.loss, not_finite_, scaled, control_.attended()));
  not_finite_ = 0;  // a person who resumes wants to see it again
}

void RunLoop::out_of_memory(const std::string& what) {
  pause_itself(train::out_of_memory(step_, training_.scalers.scale(0), what));
}

wire::Finished RunLoop::half_stepped() {
  wire::Finished finished = failure(step_);
  bool memory = false;
  try {
    throw;
  } catch (const Error& error) {
    memory = error.code == ErrorCode::kOutOfMemory;
  } catch (const std::exception& error) {
    memory = graph::is_out_of_memory(error);
  }
  const wire::Event event = half_step(step_, training_.scalers.scale(0), memory ? "" : finished.message);
  if (memory) listener_.on_event(event);
  finished.message = event.sentence;
  const std::string last = folder_.newest();
  const std::string next = last.empty() ? "Start it again" : "Resume from " + last + ", the last checkpoint";
  finished.hint = next + (memory ? ", with a smaller batch." : ".") +
                  (last.empty() ? " With checkpoint.folder and .every a run can be resumed." : "");
  return finished;
}

void RunLoop::pause_itself(const wire::Event& why) {
  listener_.on_event(why);
  if (kept_at_ != step_) keep_checkpoint("step");
  if (control_.attended()) {
    control_.pause();
  } else {
    gave_up_ = why;
  }
}

void RunLoop::evaluate() {
  std::optional<wire::Evaluated> evaluated;
  try {
    evaluated = train::evaluate(training_, step_, [this] { return control_.stop_requested(); });
  } catch (const std::exception& error) {
    const auto* ours = dynamic_cast<const Error*>(&error);
    if (!(ours ? ours->code == ErrorCode::kOutOfMemory : graph::is_out_of_memory(error))) throw;
    listener_.on_log({"warning", "Memory ran out in the evaluation after " + std::to_string(step_) +
                                     " steps: it was left out, and training goes on."});
    evaluated_at_ = step_;
  }
  if (!evaluated) return;
  evaluated_at_ = step_;
  listener_.on_evaluated(*evaluated);
}

void RunLoop::keep_checkpoint(const std::string& reason) {
  if (!folder_.kept()) return;
  try {
    save(reason, {});
  } catch (const std::exception& error) {
    const auto* ours = dynamic_cast<const Error*>(&error);
    const std::string hint = ours == nullptr || ours->hint.empty() ? "" : ". " + ours->hint;
    listener_.on_log({"error", "The checkpoint of step " + std::to_string(step_) +
                                   " was not saved, and training goes on; earlier ones are as they were. " +
                                   error.what() + hint});
  }
}

wire::CheckpointInfo RunLoop::save(const std::string& reason, const std::string& file) {
  const bool own = file.empty();
  const std::string path = own ? folder_.file_for(reason, step_, training_.policy->revision) : file;
  const wire::CheckpointInfo saved = save_checkpoint(training_, step_, reason, path, last_loss_);
  if (own) {
    folder_.added(path);
    if (reason != "edit") kept_at_ = step_;
  }
  listener_.on_checkpoint(saved);
  return saved;
}

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

}  // namespace binade::train
