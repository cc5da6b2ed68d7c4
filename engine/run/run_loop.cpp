// SPDX-License-Identifier: Apache-2.0
#include "engine/run/run_loop.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/compare/compare_float32.h"
#include "engine/diagnose/next_safe_scales.h"
#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/run/call_rules.h"
#include "engine/run/evaluation.h"
#include "engine/run/events.h"
#include "engine/run/notices.h"
#include "engine/run/orders.h"
#include "engine/words/event_text.h"

#include <cmath>

namespace binade::run {

RunLoop::RunLoop(train::Training& training, checkpoint::CheckpointFolder& folder, std::int64_t first_step,
                 Listener& listener, Control& control, ranks::SharedTraining* shared)
    : training_(training),
      folder_(folder),
      listener_(listener),
      control_(control),
      shared_(shared),
      stepper_(training, /*replays=*/true, shared),
      casts_(training),
      silent_(training.info.sites),
      summary_(training),
      divergence_(training, folder, first_step, listener, control),
      step_(first_step),
      policy_since_(first_step) {
  training_.autocast.count_calls();  // forwards during set-up do not count
  stepper_.unused_rules().watch();
  silent_.begin(training.policy->revision, first_step);
  fixes_.began(training.config.policy, *training.policy, first_step);
}

wire::Finished RunLoop::run() {
  const ranks::Group::Work work(shared_ != nullptr ? &shared_->group() : nullptr, "work between two steps");
  if (shared_ != nullptr) shared_->on_stop([this] { control_.stop(/*cancelled=*/true); });
  wire::Finished finished;
  try {
    finished = steps();
    end_others(finished.outcome);
    if (step_ > policy_since_ + 1) report_missed_calls();
    if (const auto cost = stepper_.observe_cost()) listener_.receive(*cost);
  } catch (...) {
    finished = training_.whole || shared_ != nullptr ? failure(step_) : half_stepped();
  }
  const std::string& level = training_.config.observe.level;
  const wire::SilentReport report = silent_.report();
  // Also reports if no step was observed although observing was enabled.
  const bool missed = level != "off" && level != "finite" && report.steps() > 0;
  if (report.observed_steps > 0 || missed) listener_.receive(report);
  if (kept_at_ != step_ && training_.whole) keep_last_checkpoint(finished);
  control_.close();
  return finished;
}

wire::Finished RunLoop::steps() {
  if (training_.config.profile.level != "off") listener_.receive(training_.config.profile);
  while (step_ < training_.config.steps) {
    const Control::Next next = take(state_ == wire::RunState::kPaused, /*run_ends=*/false);
    apply(next);
    if (next.stop) return summary_.result(next.cancelled ? wire::Outcome::kCancelled : wire::Outcome::kStopped, step_);
    enter(next.paused ? wire::RunState::kPaused : wire::RunState::kRunning);
    if (next.run_step && step_ < training_.config.steps) one_step();
    if (gave_up_) {
      wire::Finished finished = summary_.result(wire::Outcome::kFailed, step_);
      finished.message = words::sentence_of(*gave_up_, {});
      finished.hint = summary_.hint_after(*gave_up_, folder_.kept());
      return finished;
    }
  }
  if (evaluated_at_ != step_) evaluate();
  const Control::Next last = take(false, /*run_ends=*/true);  // requests made during the last step or the evaluation
  apply(last);
  if (last.stop) return summary_.result(last.cancelled ? wire::Outcome::kCancelled : wire::Outcome::kStopped, step_);
  if (step_ < training_.config.steps) return steps();  // rewound to an earlier checkpoint
  return summary_.result(wire::Outcome::kCompleted, step_);
}

Control::Next RunLoop::take(bool wait, bool run_ends) {
  Control::Next next = control_.take(wait);
  if (shared_ == nullptr) return next;
  Orders orders = orders_of(next);
  orders.run_step = next.run_step && !next.stop && !run_ends;
  level_ = observe::Level::kOff;
  if (orders.run_step && orders.loads.empty()) {                // a checkpoint changes the step
    if (orders.observe) stepper_.set_observe(*orders.observe);  // the level is that of the new settings
    stepper_.set_watched(control_.watched());
    level_ = stepper_.level_at(step_);
  }
  orders.level = static_cast<int>(*level_);
  orders.end = next.stop;
  orders.outcome = next.cancelled ? wire::Outcome::kCancelled : wire::Outcome::kStopped;
  shared_->group().broadcast(encode(orders));
  others_ended_ = orders.end;
  return next;
}

void RunLoop::end_others(wire::Outcome outcome) {
  if (shared_ == nullptr || others_ended_) return;
  others_ended_ = true;
  Orders orders;
  orders.end = true;
  orders.outcome = outcome;
  shared_->group().broadcast(encode(orders));
}

void RunLoop::enter(wire::RunState state) {
  if (state_ == state) return;
  state_ = state;
  listener_.receive(wire::StateChanged{state, step_});
}

void RunLoop::report_missed_calls() {
  for (const std::string& sentence : calls_that_did_not_run(training_, policy_since_, step_ - 1)) {
    listener_.receive(wire::LogLine{"warning", "policy: " + sentence});
  }
}

void RunLoop::report_unused_rules() {
  for (const std::string& sentence : stepper_.unused_rules().take()) {
    listener_.receive(wire::LogLine{"warning", "policy: " + sentence});
  }
  // Shapes and dtypes of operands are known when the op calls have run.
  for (const std::string& finding : training_.autocast.products().findings()) {
    listener_.receive(wire::LogLine{"warning", "policy: " + finding});
  }
}

void RunLoop::one_step() {
  StepOutcome outcome;
  stepper_.set_watched(control_.watched());
  try {
    outcome = stepper_.run(step_, level_);
  } catch (const Error& error) {
    // Other ranks are within the step, so a run on several ends, and goes on from a checkpoint.
    if (error.code != ErrorCode::kOutOfMemory || !training_.whole || shared_ != nullptr) throw;
    out_of_memory(error.what());
    return;
  } catch (const std::exception& error) {
    if (!graph::is_out_of_memory(error) || !training_.whole || shared_ != nullptr) throw;
    out_of_memory("backward");
    return;
  }
  // Before the step is reported: if a listener throws, the last checkpoint is of the state after this step.
  last_loss_ = outcome.record.loss;
  ++step_;
  summary_.add(outcome.record);
  if (outcome.diagnosis) check_diagnosis(*outcome.diagnosis, outcome.record);
  divergence_.add_loss(outcome.record.loss);
  report_step(outcome);
  report_casts(outcome.record);
  report_silent_faults(outcome);
  if (step_ == policy_since_ + 1) {
    report_missed_calls();
    report_unused_rules();
  }
  pause_if_diverged(outcome);
  const std::int64_t every = training_.config.evaluate_every;
  if (every > 0 && step_ % every == 0) evaluate();
  const std::int64_t keep = training_.config.checkpoint.every;
  if (keep > 0 && step_ % keep == 0 && kept_at_ != step_) keep_checkpoint("step");
}

void RunLoop::check_diagnosis(wire::Diagnosis& diagnosis, const wire::StepRecord& record) {
  if (broken_updates_.explain(diagnosis) || summary_.taken() == 0) return;
  divergence_.check(diagnosis, record.step, record.scale);
}

void RunLoop::report_step(const StepOutcome& outcome) {
  const wire::StepRecord& record = outcome.record;
  listener_.receive(record);
  if (!outcome.quantized.empty()) listener_.receive(wire::QuantizedStep{record.step, outcome.quantized});
  if (outcome.times) listener_.receive(*outcome.times);
  if (outcome.observe_cost) listener_.receive(*outcome.observe_cost);
  const wire::Diagnosis* diagnosis = outcome.diagnosis ? &*outcome.diagnosis : nullptr;
  auto events = events_of(record, stepper_.watched(), outcome.bad_parameters, diagnosis);
  if (diagnosis != nullptr) fixes_.proposed(*diagnosis);
  if (outcome.vanished) {
    std::erase_if(events, [](const wire::Event& event) { return event.kind == wire::Event::Kind::kForwardOverflow; });
    events.push_back(vanished_event(record, *outcome.vanished));
    fixes_.proposed(*outcome.vanished);
  }
  if (auto held = fixes_.step(record, diagnosis, training_.info.sites)) events.push_back(std::move(*held));
  for (const wire::Event& event : events) listener_.receive(event);
  if (outcome.withheld && std::isfinite(record.loss)) {
    const auto& bad = outcome.bad_parameters;
    listener_.receive(
        clip_refused(record.step, record.scale, bad.empty() ? "" : bad.front(), training_.config.clip.norm > 0));
  }
  summary_.add_proved_cause(outcome);
  for (scaler::ScaleWarning warning : outcome.warnings) {
    // A cause proved by a replay takes precedence over the likely one.
    const std::string& cause = summary_.proved_cause();
    if (!cause.empty() && (record.found_inf || !std::isfinite(record.loss))) warning.cause = cause;
    listener_.receive(scale_warning(warning));
  }
  broken_updates_.add(outcome.silent);
}

void RunLoop::report_casts(const wire::StepRecord& record) {
  casts_.stepped(record.step, record.seconds);
  if (!casts_.due()) return;
  try {
    listener_.receive(casts_.take());
    for (const std::string& each : casts_.take_failures()) listener_.receive(wire::LogLine{"warning", each});
  } catch (const std::exception& error) {
    listener_.receive(wire::LogLine{"warning", std::string("The cost of casts is unknown: ") + error.what()});
  }
}

void RunLoop::report_silent_faults(const StepOutcome& outcome) {
  report_silent_faults(silent_.step(outcome.record, stepper_.watched(), outcome.silent), outcome.vanished.has_value());
  if (!silent_.wants_comparison()) return;
  std::optional<wire::Float32Comparison> compared;
  std::optional<wire::ScaleBand> band;
  std::string why;
  try {
    compared = compare::compare_with_float32(training_, step_);
    listener_.receive(*compared);
    band = diagnose::band_of_next_step(training_);
  } catch (const std::exception& error) {
    // The comparison needs more memory than a step; without it the suspicion remains a bound.
    why = graph::reason_of(error);
  }
  report_silent_faults(silent_.compared(compared ? &*compared : nullptr, stepper_.watched(), band, why));
}

void RunLoop::report_silent_faults(const std::vector<wire::Event>& events, bool news) {
  for (const wire::Event& event : events) listener_.receive(event);
  // New faults are reported at once; changed figures and faults that are over only while the run is displayed live, at
  // the interval of live observations.
  constexpr double kPause = 1;  // seconds, without live observations
  const double live = training_.config.observe.live;
  const auto now = std::chrono::steady_clock::now();
  const bool is_due = std::chrono::duration<double>(now - silent_reported_at_).count() >= (live > 0 ? live : kPause);
  news = news || !events.empty();
  if (!news && (!control_.watched() || !is_due)) return;
  const wire::SilentReport report = silent_.report();
  if (!news && (report.observed_steps == 0 || report.observed_steps == silent_reported_steps_)) return;
  silent_reported_at_ = now;
  silent_reported_steps_ = report.observed_steps;
  listener_.receive(report);
}

void RunLoop::evaluate() {
  std::optional<wire::Evaluated> evaluated;
  try {
    evaluated = run::evaluate(training_, step_, [this] { return control_.stop_requested(); });
  } catch (const std::exception& error) {
    const auto* ours = dynamic_cast<const Error*>(&error);
    if (!(ours ? ours->code == ErrorCode::kOutOfMemory : graph::is_out_of_memory(error))) throw;
    listener_.receive(wire::LogLine{"warning", "Memory ran out in the evaluation after " + std::to_string(step_) +
                                                   " steps: it was omitted, and training continues."});
    evaluated_at_ = step_;
  }
  if (!evaluated) return;
  evaluated_at_ = step_;
  listener_.receive(*evaluated);
  if (!std::isfinite(evaluated->loss)) listener_.receive(wire::LogLine{"warning", why_not_finite(training_, step_)});
}

namespace {

std::string with_hint(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  return error.what() + (ours == nullptr || ours->hint.empty() ? std::string() : ". " + ours->hint);
}

}  // namespace

void RunLoop::keep_checkpoint(const std::string& reason) {
  if (!folder_.kept()) return;
  try {
    save(reason, {});
  } catch (const std::exception& error) {
    listener_.receive(wire::LogLine{
        "error", "The checkpoint of step " + std::to_string(step_) +
                     " was not saved, and training continues. Earlier checkpoints are unchanged. " + with_hint(error)});
  }
}

void RunLoop::keep_last_checkpoint(wire::Finished& finished) {
  if (!folder_.kept()) return;
  try {
    save("end", {});
  } catch (const std::exception& error) {
    const std::string what = "The last checkpoint, of step " + std::to_string(step_) + ", was not saved";
    if (finished.outcome != wire::Outcome::kCompleted) {
      listener_.receive(wire::LogLine{"error", what + ". Earlier checkpoints are unchanged. " + with_hint(error)});
      return;
    }
    finished.outcome = wire::Outcome::kFailed;
    finished.message = what + ", though every step was done: " + with_hint(error);
    const std::string last = folder_.newest();
    finished.hint = last.empty() ? "No checkpoint was kept." : "Resume from " + last + ", the newest that was kept.";
  }
}

wire::CheckpointInfo RunLoop::save(const std::string& reason, const std::string& file) {
  const bool own = file.empty();
  const std::string path = own ? folder_.file_for(reason, step_, training_.policy->revision) : file;
  const wire::CheckpointInfo saved = checkpoint::save_checkpoint(training_, step_, reason, path, last_loss_);
  if (own) {
    folder_.added(path);
    if (reason != "edit" && reason != "try") kept_at_ = step_;  // the run's own checkpoint of this step is still due
  }
  listener_.receive(saved);
  return saved;
}

}  // namespace binade::run
