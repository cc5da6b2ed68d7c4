// SPDX-License-Identifier: Apache-2.0
// The observe level of a step, and its observations for the record.
#include "engine/diagnose/explain.h"
#include "engine/diagnose/outlier_rows.h"
#include "engine/ranks/heartbeat.h"
#include "engine/run/step.h"
#include "engine/train/training_state_guard.h"

#include <algorithm>
#include <chrono>

namespace binade::run {

namespace {

observe::Level level_named(const std::string& name) {
  if (name == "finite") return observe::Level::kFinite;
  if (name == "range") return observe::Level::kRange;
  if (name == "histogram") return observe::Level::kHistogram;
  if (name == "what-if") return observe::Level::kWhatIf;
  return observe::Level::kOff;
}

/// Most of the training time that live observation may take.
constexpr double kLiveShare = 0.1;

/// By site: whether the filter of `config` includes it; empty: all.
std::vector<bool> filter_of(const wire::ObserveConfig& config, const std::vector<const graph::Site*>& sites) {
  std::vector<bool> watched;
  if (config.sites.empty()) return watched;
  for (const graph::Site* site : sites) watched.push_back(policy::matches(config.sites, site->key));
  return watched;
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
    case observe::Watched::Kind::kInput:
      tensor.kind = wire::WatchedTensor::Kind::kInput;
      break;
    case observe::Watched::Kind::kParameter:
      tensor.kind = wire::WatchedTensor::Kind::kParameter;
      break;
    case observe::Watched::Kind::kParameterGradient:
      tensor.kind = wire::WatchedTensor::Kind::kParameterGradient;
      break;
  }
  tensor.argument = watched.argument;
  tensor.format = watched.format;
  tensor.emulated = watched.emulated;
  return tensor;
}

}  // namespace

void Stepper::set_observe(const wire::ObserveConfig& observe) {
  observe_ = observe;
  training_.observer.set_filter(filter_of(observe_, training_.sites));
  quantized_.set_filter(filter_of(observe_, training_.sites));
  training_.observer.watch_inputs(observe_.inputs);
  training_.observer.watch_parameters(observe_.parameters ? training_.model.parameters() : train::NamedTensors());
  cost_.begin(observe_.measure_cost);
}

bool Stepper::live_observation_is_due() const {
  if (!is_watched_ || observe_.live <= 0) return false;
  const double since = std::chrono::duration<double>(Clock::now() - observed_at_).count();
  return since >= std::max(observe_.live, observed_seconds_ / kLiveShare);
}

observe::Level Stepper::level_at(std::int64_t step) {
  const observe::Level full = level_named(observe_.level);
  const bool due = step % std::max<std::int64_t>(observe_.every, 1) == 0 || live_observation_is_due();
  const observe::Level level = due ? full : std::min(full, level_named(observe_.between));
  // A due live observation is not skipped for an unobserved step, since both may always coincide.
  const bool may_be_bare = !due || observe_.every <= 1;
  if (level == observe::Level::kOff || (may_be_bare && cost_.wants_bare())) return observe::Level::kOff;
  if (level == full) observed_at_ = Clock::now();
  return level;
}

void Stepper::note_cost(StepOutcome& outcome, observe::Level level, bool timed) {
  const wire::StepRecord& record = outcome.record;
  if (level != observe::Level::kOff && level == level_named(observe_.level)) observed_seconds_ = record.observe_seconds;
  cost_.stepped({record.step, level, record.seconds, timed, record.stepped && !replayed_});
  if (cost_.due()) outcome.observe_cost = cost_.cost();
}

bool Stepper::is_explained_in_full(std::int64_t step) {
  // The first non-finite steps, and some later ones, are explained with a fix; the others get one replay only.
  constexpr std::int64_t kFirst = 50;
  constexpr std::int64_t kEvery = 100;
  if (explained_ >= kFirst && step - explained_at_ < kEvery && step >= explained_at_) return false;
  ++explained_;
  explained_at_ = step;
  return true;
}

void Stepper::explain_step(StepOutcome& outcome, observe::Level level, bool full) {
  const std::int64_t step = outcome.record.step;
  const ranks::Group::Work work(shared_ != nullptr ? &shared_->group() : nullptr, ranks::kDiagnosisWork);
  const auto keep = [&] { return bundles_.keep(replay_, step); };
  replayed_ = true;
  // The replay provides observations of a step that sampling left out.
  const observe::Level wanted = level_named(observe_.level);
  const bool observes_replay = level != wanted;
  if (observes_replay) training_.observer.begin(wanted);
  try {
    outcome.diagnosis = diagnose::explain(replay_, step,
                                          {.effort = full ? diagnose::Effort::kFix : diagnose::Effort::kCause,
                                           .observer = observes_replay ? &training_.observer : nullptr,
                                           .buffers = &buffers_,
                                           .run = &fix_},
                                          keep);
    diagnose::blame_outlier_rows(*outcome.diagnosis, replay_);
    if (observes_replay) {
      training_.observer.observe_parameters(training_.trainable);  // the replay has restored their gradients
      outcome.record.observations.clear();
      add_observations(outcome.record);
    }
  } catch (const std::exception& error) {
    // The replay needs more memory than the step, which itself succeeded.
    outcome.diagnosis.emplace().message = std::string("The step could not be replayed: ") + error.what();
  }
  note_ranks(*outcome.diagnosis);
  note_lost_bundle(*outcome.diagnosis);
}

std::string Stepper::keep_state(std::int64_t step) {
  const ranks::Group::Work work(&shared_->group(), "the state before a step that was not finite");
  const train::TrainingStateGuard guard(training_);
  replay_.rewind();
  return bundles_.keep(replay_, step);
}

void Stepper::note_lost_bundle(wire::Diagnosis& diagnosis) {
  if (const std::string failed = bundles_.take_failure(); !failed.empty()) {
    diagnosis.notes.push_back("The state before this step was not saved, nor will that of later steps be: " + failed +
                              ".");
  }
}

void Stepper::note_ranks(wire::Diagnosis& diagnosis) const {
  if (shared_ == nullptr || shared_->norms() == nullptr) return;
  const int rank = shared_->group().rank();
  diagnosis.notes.push_back("Batch norms are synchronised. The step computed them over the examples of " +
                            std::to_string(shared_->group().size()) + " ranks, and this replay over those of rank " +
                            std::to_string(rank) + " alone, so its values differ from those of the step.");
}

void Stepper::add_times(StepOutcome& outcome) {
  wire::StepTimes& times = outcome.times.emplace();
  times.step = outcome.record.step;
  for (const observe::SiteSeconds& each : training_.timer.finish()) {
    const auto seconds = [&each](observe::Part part) { return each.seconds[static_cast<std::size_t>(part)]; };
    times.sites.push_back({.site = each.site,
                           .calls = each.calls,
                           .forward = seconds(observe::Part::kForward),
                           .backward = seconds(observe::Part::kBackward),
                           .accumulate = seconds(observe::Part::kAccumulate),
                           .observe = seconds(observe::Part::kObserve)});
  }
  for (const observe::MatmulShape& each : training_.timer.new_matmul_shapes()) {
    times.new_products.push_back({.site = each.site, .m = each.m, .n = each.n, .k = each.k, .batches = each.batches});
  }
}

void Stepper::add_observations(wire::StepRecord& record) {
  auto all_seen = training_.observer.finish();
  record.observations.reserve(all_seen.size());
  for (observe::Seen& seen : all_seen) {
    record.observations.push_back({seen.tensor, std::move(seen.stats)});
  }
  const auto& all = training_.observer.watched();
  for (std::size_t i = watched_.size(); i < all.size(); ++i) {
    watched_.push_back(to_wire(all[i]));
    record.new_tensors.push_back(watched_.back());
  }
  record.observe_seconds = training_.observer.seconds();
}

}  // namespace binade::run
