// SPDX-License-Identifier: Apache-2.0
#include "engine/run/trainer.h"

#include "engine/casts/policy_savings.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/compare/compare_float32.h"
#include "engine/policy/resolve.h"
#include "engine/ranks/shared_file.h"
#include "engine/ranks/shared_training.h"
#include "engine/run/follower.h"
#include "engine/run/run_loop.h"
#include "engine/train/device.h"
#include "engine/train/training.h"
#include "engine/train/unused_fields.h"

#include <algorithm>
#include <filesystem>

namespace binade::run {

namespace {

wire::PolicyApplied applied(const policy::Resolved& resolved, const policy::Policy& policy, std::int64_t step) {
  return {resolved.revision, step, policy, resolved.sites, resolved.findings};
}

/// Returns fields without effect, some of which are known only after set-up.
std::vector<std::string> unused_in(const train::Training& training) {
  const wire::RunConfig& config = training.config;
  std::vector<std::string> all = train::unused_fields(config);
  if (config.evaluate_every > 0 && training.data->test_batches() == 0) {
    all.emplace_back(
        "evaluate_every does nothing: no examples are held out for evaluations. data.test holds some out.");
  }
  const std::string& sites = config.observe.sites;
  const auto matches = [&sites](const graph::Site* site) { return policy::matches(sites, site->key); };
  if (!sites.empty() && std::none_of(training.sites.begin(), training.sites.end(), matches)) {
    all.push_back("observe.sites \"" + sites + "\" matches no op call: nothing is observed. inspect lists them.");
  }
  return all;
}

}  // namespace

Trainer::Trainer(const wire::RunConfig& described, Listener& listener, const std::stop_token& stop, ranks::Group* group)
    : listener_(listener) {
  listener_.receive(wire::StateChanged{wire::RunState::kLoading, 0});
  try {
    const ranks::Group::Work work(group, "set-up");
    set_up(described, stop, group);
  } catch (...) {
    listener_.receive(wire::StateChanged{wire::RunState::kIdle, 0});
    throw;
  }
}

void Trainer::set_up(const wire::RunConfig& described, const std::stop_token& stop, ranks::Group* group) {
  wire::RunConfig config = described;
  if (group != nullptr && group->rank() != 0) {
    config.checkpoint = {};
    config.resume.clear();
    config.run_file.clear();
  }
  const std::string newest = config.resume;
  config.resume = checkpoint::CheckpointFolder::newest_of(newest);
  // Checked before the folder, so that a fault of the file itself is reported first.
  if (!config.resume.empty()) checkpoint::inspect_checkpoint(config.resume);
  folder_ = std::make_unique<checkpoint::CheckpointFolder>(config.checkpoint, config.resume);
  // The run that owned the folder may have saved another one since.
  config.resume = checkpoint::CheckpointFolder::newest_of(newest);
  train::Seat seat;
  if (group != nullptr) {
    seat.shard = {group->rank(), group->size()};
    seat.gpu = group->place().local_rank;
  }
  const auto report = [this](const std::string& progress) { listener_.receive(wire::LogLine{"progress", progress}); };
  training_ = train::set_up(config, {stop, report}, seat);
  if (group == nullptr) {
    if (!config.resume.empty()) load(config.resume);
  } else {
    shared_ = std::make_unique<ranks::SharedTraining>(*group, *training_);
    ranks_ = shared_->check_same();
    backend_ = shared_->choose_backend();
    const ranks::SharedFile file(*group, config.resume);
    if (!file.path().empty()) load(file.path());
  }
  const policy::Base base = training_->config.policy.base;
  if (!config.resume.empty() && base != config.policy.base) {
    notes_.push_back("its policy, on " + policy::name(base) + ", is in force, and not the run description's, on " +
                     policy::name(config.policy.base));
  }
}

void Trainer::load(const std::string& resume) {
  checkpoint::Resumed resumed = checkpoint::load_checkpoint(*training_, resume);
  first_step_ = next_step_ = resumed.step;
  notes_ = std::move(resumed.notes);
}

Trainer::~Trainer() = default;

void Trainer::set_marks(observe::SiteMarks* marks) {
  training_->timer.set_marks(marks);
}

const graph::Model& Trainer::model() const {
  return training_->model;
}

void Trainer::save_model(const std::string& file) const {
  checkpoint::save_trained_model(*training_, file);
}

wire::Float32Comparison Trainer::compare() const {
  const train::Deterministic deterministic;
  return compare::compare_with_float32(*training_, next_step_);
}

wire::Savings Trainer::savings(const policy::Policy& wanted) const {
  const train::Deterministic deterministic;
  return casts::policy_savings(*training_, wanted, next_step_);
}

void Trainer::announce() {
  wire::RunStarted started;
  started.config = training_->config;
  started.model = training_->info;
  started.policy = applied(*training_->policy, training_->config.policy, first_step_);
  if (!training_->config.run_file.empty()) {
    started.run_file = std::filesystem::absolute(training_->config.run_file).lexically_normal().string();
  }
  started.device = train::describe(training_->device);
  started.ranks = ranks_;
  listener_.receive(started);
  if (!backend_.empty()) listener_.receive(wire::LogLine{"info", backend_});
  for (const std::string& note : notes_) {
    listener_.receive(wire::LogLine{"warning", training_->config.resume + ": " + note + "."});
  }
  if (first_step_ >= training_->config.steps) {
    listener_.receive(wire::LogLine{"warning", training_->config.resume + " is of step " + std::to_string(first_step_) +
                                                   ", and the run has " + std::to_string(training_->config.steps) +
                                                   " steps: nothing is left to do. Raise steps to continue."});
  }
  for (const std::string& sentence : unused_in(*training_)) listener_.receive(wire::LogLine{"warning", sentence});
  for (const std::string& warning : training_->info.warnings) listener_.receive(wire::LogLine{"warning", warning});
  for (const policy::Finding& finding : training_->policy->findings) {
    listener_.receive(wire::LogLine{finding.severity == policy::Finding::Severity::kNote ? "info" : "warning",
                                    "policy: " + finding.message});
  }
}

wire::Finished Trainer::run(Control& control) {
  const train::Deterministic deterministic;
  wire::Finished finished;
  try {
    announce();
    if (shared_ == nullptr || shared_->leads()) {
      finished = RunLoop(*training_, *folder_, first_step_, listener_, control, shared_.get()).run();
    } else {
      finished = Follower(*training_, *shared_, first_step_, listener_).run();
      control.close();
    }
  } catch (...) {
    finished = failure(first_step_);
    control.close();
  }
  next_step_ = finished.steps;
  listener_.receive(wire::StateChanged{wire::RunState::kFinished, finished.steps});
  listener_.receive(finished);
  return finished;
}

wire::Finished run(const wire::RunConfig& config, Listener& listener, Control& control) {
  return Trainer(config, listener).run(control);
}

}  // namespace binade::run
