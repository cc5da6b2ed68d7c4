// SPDX-License-Identifier: Apache-2.0
#include "engine/run/divergence_check.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/graph/failure.h"
#include "engine/words/numbers.h"
#include "engine/words/site_text.h"

#include <cmath>
#include <exception>

namespace binade::run {

namespace {

constexpr int kMostAsked = 2;       // under one policy, if float32 does not diverge
constexpr double kMoved = 1.05;     // weights that have grown less show no divergence ...
constexpr double kLossRisen = 1.5;  // ... unless the loss has risen
constexpr const char* kFloat32Unknown = "Whether the same steps diverge in float32 too is not known: ";

bool blames_a_format(const wire::Diagnosis& diagnosis) {
  using enum wire::Verdict;
  switch (diagnosis.verdict) {
    case kNoScaleWorks:
    case kOverflowAtSite:
    case kCastOverflow:
    case kForwardOverflow:
    case kInvalidOperation:
    case kLostValue:
    case kNonFiniteParameter:
      return true;
    default:
      return false;
  }
}

wire::Attempt attempt(const std::string& note, double scale, bool finite) {
  wire::Attempt made;
  made.note = note;
  made.scale = scale;
  made.finite = finite;
  return made;
}

std::string steps_text(std::int64_t from, std::int64_t to) {
  return from == to ? "step " + std::to_string(from) : "steps " + std::to_string(from) + " to " + std::to_string(to);
}

/// Describes float32's course for the evidence.
std::string course_of(const Float32Answer& answer, std::int64_t from) {
  std::string text = steps_text(from, answer.at) + " in float32: loss " + words::figure(answer.loss);
  if (answer.growth > 2) text += ", weights " + words::figure(answer.growth) + " times as large";
  return text;
}

}  // namespace

DivergenceCheck::DivergenceCheck(const train::Training& training, const checkpoint::CheckpointFolder& folder,
                                 std::int64_t first_step, Listener& listener, const Control& control)
    : training_(training),
      folder_(folder),
      listener_(listener),
      control_(control),
      first_step_(first_step),
      first_norm_(norm_of_weights(training)) {}

void DivergenceCheck::add_loss(double loss) {
  if (!std::isfinite(loss)) return;
  if (!first_loss_) first_loss_ = loss;
  last_loss_ = loss;
}

Float32Question DivergenceCheck::question_of(std::int64_t step) const {
  Float32Question question;
  question.step = step;
  question.usual_loss = first_loss_;
  question.first_norm = first_norm_;
  question.cancelled = [this] { return control_.stop_requested(); };
  question.progress = [this](const std::string& text) { listener_.receive(wire::LogLine{"progress", text}); };
  question.checkpoint = training_.config.resume;
  question.from = first_step_;
  // From the run's start if that is near: an earlier checkpoint may already be affected.
  constexpr std::int64_t kFar = 200;
  const std::string newest = folder_.newest();
  if (step - first_step_ <= kFar || newest.empty()) return question;
  const wire::CheckpointInfo kept = checkpoint::inspect_checkpoint(newest);
  if (kept.step > step) return question;
  question.checkpoint = newest;
  question.from = kept.step;
  return question;
}

void DivergenceCheck::check(wire::Diagnosis& diagnosis, std::int64_t step, double scale) {
  if (!blames_a_format(diagnosis)) return;
  if (revision_ != training_.policy->revision) {
    revision_ = training_.policy->revision;
    asked_ = 0;
    answer_.reset();
  }
  const bool known = answer_ && answer_->diverges.value_or(false);
  if (!known) {
    if (asked_ >= kMostAsked) return;
    const double growth = first_norm_ > 0 ? norm_of_weights(training_) / first_norm_ : 0;
    const double usual = first_loss_.value_or(0);
    if (growth <= kMoved && !(last_loss_ > kLossRisen * usual)) return;
    ++asked_;
    try {
      question_ = question_of(step);
      answer_ = ask_float32(training_.config, question_);
    } catch (const std::exception& error) {  // an unreadable checkpoint
      diagnosis.notes.push_back(kFloat32Unknown + graph::reason_of(error) + ".");
      return;
    }
  }
  apply(*answer_, diagnosis, scale);
}

void DivergenceCheck::apply(const Float32Answer& answer, wire::Diagnosis& diagnosis, double scale) const {
  const std::int64_t from = question_.from;
  if (!answer.diverges) {
    diagnosis.notes.push_back(kFloat32Unknown + answer.why + ".");
    return;
  }
  if (answer.breaks) {
    diagnosis.notes.push_back("In float32 the loss of step " + std::to_string(answer.at) +
                              " is not finite either, though neither the loss nor the weights had grown before it.");
    diagnosis.evidence.push_back(attempt(course_of(answer, from), scale, false));
    return;
  }
  if (!*answer.diverges) {
    diagnosis.notes.emplace_back("In float32 the same steps do not diverge.");
    diagnosis.evidence.push_back(attempt(course_of(answer, from), scale, true));
    return;
  }
  diagnosis.evidence.push_back(attempt(course_of(answer, from), scale, false));
  if (answer.rows) {
    diagnosis.verdict = wire::Verdict::kHugeData;
    diagnosis.fix = {};
    if (!diagnosis.roots.empty()) diagnosis.roots.front().rows = answer.rows;
    diagnosis.evidence.push_back(attempt("the same in float32 with other rows in the place of " +
                                             words::rows_text(*answer.rows) + " of step " +
                                             std::to_string(answer.rows_step),
                                         scale, true));
    diagnosis.message.clear();
    diagnosis.notes.clear();
    return;
  }
  if (!(answer.rate > 0)) {
    diagnosis.notes.emplace_back(
        "In float32 the same steps diverge too, at lower learning rates as well: the format is not the only cause.");
    return;
  }
  const double rate = training_.config.optimizer.learning_rate * answer.rate;
  diagnosis.verdict = wire::Verdict::kLearningRate;
  diagnosis.fix = {};
  diagnosis.fix.rate = wire::RateTrial{rate, answer.rate_first, answer.rate_last, answer.rate_steps, answer.learns};
  // The step may be finite with other rows, but the weights that make them fail are the cause.
  for (wire::Root& root : diagnosis.roots) root.rows.reset();
  diagnosis.evidence.push_back(attempt("the same in float32 with optimizer.learning_rate " + words::figure(rate) +
                                           ", " + std::to_string(answer.rate_steps) + " steps: loss " +
                                           words::figure(answer.rate_first) + " to " + words::figure(answer.rate_last),
                                       scale, true));
  diagnosis.message.clear();
  diagnosis.notes.clear();
}

}  // namespace binade::run
