// SPDX-License-Identifier: Apache-2.0
#include "engine/run/run_summary.h"

#include "engine/words/diagnosis_text.h"
#include "engine/words/scale_text.h"

#include <algorithm>
#include <cmath>
#include <span>

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

void RunSummary::add(const wire::StepRecord& record) {
  ++(record.stepped ? taken_ : skipped_);
  was_finite_ = was_finite_ || std::isfinite(record.loss);
}

void RunSummary::add_proved_cause(const StepOutcome& outcome) {
  if (!outcome.diagnosis || outcome.diagnosis->roots.empty()) return;
  const wire::Diagnosis& diagnosis = *outcome.diagnosis;
  if (diagnosis.verdict == wire::Verdict::kUndetermined) return;
  const wire::StepRecord& record = outcome.record;
  // Most of many such steps are replayed for their cause only: the newest sentence with a fix stays for that cause.
  const std::pair place{diagnosis.roots.front().site, record.policy_revision};
  if (!diagnosis.fix.known() && place == proved_at_) return;
  proved_cause_ = words::sentence_of(diagnosis, training_.info.sites, record.step, record.scale);
  proved_at_ = place;
}

void RunSummary::add_loss_cause(const StepOutcome& outcome, const diagnose::RunFix& fix) {
  // Most of many such steps are explained without a search for a fix; the last searched one is kept.
  std::string cause = cause_of(outcome, training_.info.sites);
  if (cause.empty()) return;
  loss_cause_ = std::move(cause);
  const bool of_format = outcome.diagnosis->verdict != wire::Verdict::kLearningRate;
  if (of_format && !fix.cure.empty()) loss_cause_ += " " + fix.cure;
}

wire::Finished RunSummary::result(wire::Outcome outcome, std::int64_t step) const {
  wire::Finished finished{.outcome = outcome, .steps = step, .message = {}, .hint = {}};
  const bool examines = training_.config.optimizer.kind == "none";  // steps change nothing in this mode
  if (outcome != wire::Outcome::kCompleted || examines || taken_ > 0 || skipped_ == 0) return finished;
  finished.message = "The one step was skipped: nothing was learned";
  if (skipped_ > 1) finished.message = "All " + std::to_string(skipped_) + " steps were skipped: nothing was learned";
  for (std::size_t i = 0; i < training_.scalers.size(); ++i) {
    const std::string held = training_.scalers.held_by(i);
    if (held.empty()) continue;
    finished.outcome = wire::Outcome::kFailed;
    finished.message += ". The loss scale cannot fall: " + held;
    finished.hint = "Lower scaler.init_scale or scaler.minimum, or set scaler.static to false.";
    return finished;
  }
  const std::string& cause = loss_cause_.empty() ? proved_cause_ : loss_cause_;
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
  int fallen = 0;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const double scale = training_.scalers.scale(i);
    if (configs.size() > 1 && scale >= configs[i].init_scale) continue;
    if (training_.scalers.enabled(i)) least = std::min(least, scale);
    finished.hint += finished.hint.empty() ? "The scale " : ", that ";
    if (configs.size() > 1) finished.hint += "of scaler \"" + configs[i].id + "\" ";
    finished.hint += "has fallen to " + words::scale_text(scale);
    ++fallen;
  }
  // A scale below 1 shows that the scale is not what is wrong.
  if (least < 1) {
    finished.hint += ", where no step was finite. ";
    finished.hint += cause.empty() ? "See the first event for its cause." : cause;
    return finished;
  }
  if (fallen == 1) finished.hint += " and may still be too high. ";
  if (fallen > 1) finished.hint += ". These scales may still be too high. ";
  finished.hint += "Train more steps (steps).";
  return finished;
}

std::string RunSummary::hint_after(const wire::Event& why, bool has_checkpoints) const {
  if (why.kind == wire::Event::Kind::kOutOfMemory) {
    return has_checkpoints ? "The last checkpoint holds the state before it." : "";
  }
  if (!loss_cause_.empty()) return loss_cause_;
  if (!was_finite_) return kNoFiniteLoss;
  if (!proved_cause_.empty()) return proved_cause_;
  std::string hint =
      "Earlier losses were finite. The cause is unknown. Possible causes are a learning rate that let the weights grow "
      "too far, and a batch with values far beyond all others. Check the first event; lower optimizer.learning_rate";
  return hint.append(
      has_checkpoints ? " and resume from a checkpoint well before this step, or start again."
                      : " and start again. Set checkpoint.folder and checkpoint.every so that a run can be resumed.");
}

}  // namespace binade::run
