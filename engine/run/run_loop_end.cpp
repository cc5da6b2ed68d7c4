// SPDX-License-Identifier: Apache-2.0
// How a run that cannot continue pauses or ends.
#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/run/notices.h"
#include "engine/run/run_loop.h"
#include "engine/words/event_text.h"

#include <cmath>

namespace binade::run {

void RunLoop::pause_if_diverged(const StepOutcome& outcome) {
  const wire::StepRecord& record = outcome.record;
  if (std::isfinite(record.loss)) {
    not_finite_ = 0;
    return;
  }
  summary_.add_loss_cause(outcome, stepper_.fix());
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
                  (last.empty() ? " Set checkpoint.folder and checkpoint.every so that a run can be resumed." : "");
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
  constexpr const char* kOfOpCall =
      "Inspect the model: every op call is listed with its source. A policy in which this op is float32 may run.";
  constexpr const char* kOfUnknown = "If an op call failed, `binade-engine verify` names it, with its line.";
  wire::Finished finished{.outcome = wire::Outcome::kFailed, .steps = steps, .message = {}, .hint = {}};
  try {
    throw;
  } catch (const Error& error) {
    finished.message = error.what();
    finished.hint = error.hint;
  } catch (const std::exception& error) {
    const bool memory = graph::is_out_of_memory(error);
    finished.message = (memory ? "Out of memory: " : "Step " + std::to_string(steps) + ": ") + graph::reason_of(error);
    const bool names_op_call = finished.message.find("aten::") != std::string::npos;
    finished.hint = memory ? "Use a smaller batch." : names_op_call ? kOfOpCall : kOfUnknown;
  }
  return finished;
}

}  // namespace binade::run
