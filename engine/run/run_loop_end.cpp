// SPDX-License-Identifier: Apache-2.0
// How a run that cannot continue pauses or ends.
#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/run/notices.h"
#include "engine/run/run_loop.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/event_text.h"
#include "engine/words/scale_text.h"

#include <algorithm>
#include <cmath>

namespace binade::run {

namespace {

constexpr const char* kNoFiniteLoss =
    "No step had a finite loss: the first event names the cause. Check the data, the initial weights and "
    "the policy.";

/// Returns the summary of what made the loss non-finite, if it names something to change. A non-finite weight does not
/// count, since earlier steps made it so.
std::string cause_of(const StepOutcome& outcome, std::span<const wire::SiteInfo> sites) {
  using Verdict = wire::Verdict;
  if (!outcome.diagnosis || outcome.diagnosis->roots.empty()) return {};
  const Verdict verdict = outcome.diagnosis->verdict;
  // A fix, or the result that none is known, shows that a search was made.
  const bool searched = outcome.diagnosis->fix.known();
  if (!searched && verdict != Verdict::kLearningRate && verdict != Verdict::kHugeData &&
      verdict != Verdict::kNonFiniteData && verdict != Verdict::kPoisonedBuffer &&
      verdict != Verdict::kInvalidOperation) {
    return {};
  }
  return words::sentence_of(*outcome.diagnosis, sites, outcome.record.step, outcome.record.scale);
}

}  // namespace

wire::Finished RunLoop::ended(wire::Outcome outcome) const {
  wire::Finished finished{.outcome = outcome, .steps = step_, .message = {}, .hint = {}};
  const bool examines = training_.config.optimizer.kind == "none";  // steps change nothing in this mode
  if (outcome != wire::Outcome::kCompleted || examines || taken_ > 0 || skipped_ == 0) return finished;
  finished.message = "The one step was skipped: nothing was learned";
  if (skipped_ > 1) finished.message = "All " + std::to_string(skipped_) + " steps were skipped: nothing was learned";
  for (std::size_t i = 0; i < training_.scalers.size(); ++i) {
    const std::string held = training_.scalers.held_by(i);
    if (held.empty()) continue;
    finished.outcome = wire::Outcome::kFailed;
    finished.message += ". The loss scale cannot fall: " + held;
    finished.hint = "Lower scaler.init_scale or scaler.minimum, or let the scale fall (scaler.static).";
    return finished;
  }
  const std::string& cause = cause_.empty() ? known_cause_ : cause_;
  // A scale of 0 never grows again.
  for (std::size_t i = 0; i < training_.scalers.size(); ++i) {
    if (training_.scalers.enabled(i) && training_.scalers.scale(i) == 0) finished.outcome = wire::Outcome::kFailed;
  }
  if (!was_finite_) {
    finished.hint = cause.empty() ? kNoFiniteLoss : cause;
    return finished;
  }
  if (!training_.scalers.any_enabled()) {
    finished.hint = "See the first event for its cause.";
    return finished;
  }
  const auto configs = wire::scalers_of(training_.config);
  double least = 1;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const double scale = training_.scalers.scale(i);
    if (configs.size() > 1 && scale >= configs[i].init_scale) continue;
    if (training_.scalers.enabled(i)) least = std::min(least, scale);
    finished.hint += finished.hint.empty() ? "The scale " : ", that ";
    if (configs.size() > 1) finished.hint += "of scaler \"" + configs[i].id + "\" ";
    finished.hint += "has come down to " + words::scale_text(scale);
  }
  // A scale below 1 shows that the scale is not what is wrong.
  if (least < 1) {
    finished.hint += ", where no step was finite. ";
    finished.hint += cause.empty() ? "See the first event for its cause." : cause;
    return finished;
  }
  finished.hint += finished.hint.empty() ? "Give it more steps." : ": give it more steps.";
  return finished;
}

std::string RunLoop::next_step() const {
  if (gave_up_ && gave_up_->kind == wire::Event::Kind::kOutOfMemory) {
    return folder_.kept() ? "The last checkpoint holds the state before it." : "";
  }
  if (!cause_.empty()) return cause_;
  if (!was_finite_) return kNoFiniteLoss;
  if (!known_cause_.empty()) return known_cause_;
  std::string hint =
      "Earlier losses were finite. The cause is unknown. Possible causes are a learning rate that let the weights grow "
      "too far, and a batch with values far beyond all others. Check the first event; lower optimizer.learning_rate";
  return hint.append(folder_.kept() ? " and resume from a checkpoint of well before this step, or start again."
                                    : " and start again; with checkpoint.folder and .every a run can be resumed.");
}

void RunLoop::judge(const StepOutcome& outcome) {
  const wire::StepRecord& record = outcome.record;
  if (std::isfinite(record.loss)) {
    not_finite_ = 0;
    return;
  }
  // Most of many such steps are explained without a search for a fix; the last searched one is kept.
  if (std::string cause = cause_of(outcome, training_.info.sites); !cause.empty()) {
    cause_ = std::move(cause);
    const bool of_format = outcome.diagnosis->verdict != wire::Verdict::kLearningRate;
    if (of_format && !stepper_.fix().cure.empty()) cause_ += " " + stepper_.fix().cure;
  }
  if (outcome.without_label) return;
  ++not_finite_;
  const bool scaled = training_.scalers.any_enabled();
  const std::int64_t most = training_.config.diverged_after;
  if (most == 0 || (scaled && not_finite_ < most)) return;
  pause_itself(diverged(record.step, record.scale, record.loss, not_finite_, scaled, control_.attended()));
  not_finite_ = 0;  // after resuming, a new divergence is reported again
}

void RunLoop::out_of_memory(const std::string& what) {
  pause_itself(run::out_of_memory(step_, training_.scalers.scale(0), what));
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
  if (memory) listener_.receive(event);
  finished.message = words::sentence_of(event, {});
  const std::string last = folder_.newest();
  const std::string next = last.empty() ? "Start it again" : "Resume from " + last + ", the last checkpoint";
  finished.hint = next + (memory ? ", with a smaller batch." : ".") +
                  (last.empty() ? " With checkpoint.folder and .every a run can be resumed." : "");
  return finished;
}

void RunLoop::pause_itself(const wire::Event& why) {
  listener_.receive(why);
  if (kept_at_ != step_) keep_checkpoint("step");
  if (control_.attended()) {
    control_.pause();
  } else {
    gave_up_ = why;
  }
}

wire::Finished failure(std::int64_t steps) {
  constexpr const char* kNext =
      "Inspect the model: every op call is listed with its source. A policy in which this op is float32 may run.";
  wire::Finished finished{.outcome = wire::Outcome::kFailed, .steps = steps, .message = {}, .hint = {}};
  try {
    throw;
  } catch (const Error& error) {
    finished.message = error.what();
    finished.hint = error.hint;
  } catch (const std::exception& error) {
    const bool memory = graph::is_out_of_memory(error);
    finished.message = (memory ? "Out of memory: " : "Step " + std::to_string(steps) + ": ") + graph::reason_of(error);
    finished.hint = memory ? "Use a smaller batch." : kNext;
  }
  return finished;
}

}  // namespace binade::run
