// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/casts/cast_costs.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/diagnose/fix_watch.h"
#include "engine/run/broken_updates.h"
#include "engine/run/control.h"
#include "engine/run/divergence_check.h"
#include "engine/run/listener.h"
#include "engine/run/run_summary.h"
#include "engine/run/step.h"
#include "engine/silent/silent_fault_detector.h"
#include "engine/train/training.h"

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace binade::run {

/// Runs a training from the first step to the last: takes requests before each step, reports to the listener after it,
/// keeps checkpoints. Runs on the training thread; other threads reach it only through Control.
class RunLoop {
 public:
  /// `first_step` is the next step. `shared`: of rank 0 of a training on several; null: there is one process. All
  /// arguments must outlive the loop.
  RunLoop(train::Training& training, checkpoint::CheckpointFolder& folder, std::int64_t first_step, Listener& listener,
          Control& control, ranks::SharedTraining* shared = nullptr);

  /// Runs until all steps are done, a stop is requested, or an exception other than out of memory ends the run as
  /// kFailed with its message. A last checkpoint is kept in each case, unless the optimizer failed during its step.
  /// Does not throw.
  wire::Finished run();

 private:
  wire::Finished steps();
  void enter(wire::RunState state);

  /// Takes the next requests, and tells the other ranks.
  Control::Next take(bool wait, bool run_ends);
  /// Tells the other ranks that the run has ended.
  void end_others(wire::Outcome outcome);

  // Processing of requests, at step boundaries only.
  void apply(const Control::Next& next);
  void apply_policy(const wire::PolicySet& policy);
  void put_in_force(const wire::PolicySet& policy);
  void apply_scales(const Control::Next& next);
  void meet(const Control::FileRequest& request);
  void load(const Control::FileRequest& request);
  void compare(const Control::CompareDone& done);
  void measure_savings(const Control::SavingsRequest& request);
  void measure_what_if(const Control::WhatIfRequest& request);

  void one_step();
  /// Corrects a diagnosis by an earlier optimizer step that broke a parameter, or by the course of the steps in
  /// float32.
  void check_diagnosis(wire::Diagnosis& diagnosis, const wire::StepRecord& record);
  void report_step(const StepOutcome& outcome);
  void report_casts(const wire::StepRecord& record);
  void report_silent_faults(const StepOutcome& outcome);
  /// `news`: a separate event was reported.
  void report_silent_faults(const std::vector<wire::Event>& events, bool news = false);
  /// Reports rules for calls that have not run since the policy came into force.
  void report_missed_calls();
  /// Reports rules that had nothing to cast in the first step under the current policy.
  void report_unused_rules();
  void pause_if_diverged(const StepOutcome& outcome);
  void out_of_memory(const std::string& what);
  /// Returns the result of a run whose optimizer failed during its step. Call it in an exception handler.
  wire::Finished half_stepped();
  /// The run cannot continue: pauses it, or ends it if it is unattended.
  void pause_itself(const wire::Event& why);
  void evaluate();

  /// Does nothing without a folder. Errors are logged, and the run continues.
  void keep_checkpoint(const std::string& reason);
  /// Keeps the final checkpoint. If that fails, a completed run counts as failed.
  void keep_last_checkpoint(wire::Finished& finished);
  wire::CheckpointInfo save(const std::string& reason, const std::string& file);

  train::Training& training_;
  checkpoint::CheckpointFolder& folder_;
  Listener& listener_;
  Control& control_;
  ranks::SharedTraining* const shared_;
  Stepper stepper_;
  std::optional<observe::Level> level_;  ///< of the next step, if other ranks have been told
  bool others_ended_ = false;
  diagnose::FixWatch fixes_;
  casts::CastCosts casts_;
  silent::SilentFaultDetector silent_;
  std::chrono::steady_clock::time_point silent_reported_at_{};
  std::int64_t silent_reported_steps_ = 0;  ///< observed steps in the last report
  RunSummary summary_;
  BrokenUpdates broken_updates_;
  DivergenceCheck divergence_;
  std::int64_t step_;          ///< the next one
  std::int64_t policy_since_;  ///< the first step under the current policy
  std::int64_t evaluated_at_ = -1;
  std::int64_t kept_at_ = -1;        ///< the step of the last checkpoint if the state is unchanged since; -1: it is not
  std::optional<double> last_loss_;  ///< of the previous step; nullopt: there was none
  std::int64_t not_finite_ = 0;      ///< consecutive non-finite losses
  std::optional<wire::Event> gave_up_;  ///< why an unattended run ends
  wire::RunState state_ = wire::RunState::kLoading;
};

/// Converts any exception of a run to message and hint. Call it in an exception handler.
wire::Finished failure(std::int64_t steps);

}  // namespace binade::run
