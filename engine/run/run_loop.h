// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/casts/cast_costs.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/diagnose/fix_watch.h"
#include "engine/run/control.h"
#include "engine/run/float32_question.h"
#include "engine/run/listener.h"
#include "engine/run/step.h"
#include "engine/silent/silent_fault_detector.h"
#include "engine/train/training.h"

#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace binade::run {

/// Runs a training from the first step to the last: takes requests before each step, reports to the listener after it,
/// keeps checkpoints.
class RunLoop {
 public:
  /// `first_step` is the next step. All arguments must outlive the loop.
  RunLoop(train::Training& training, checkpoint::CheckpointFolder& folder, std::int64_t first_step, Listener& listener,
          Control& control);

  /// Runs until all steps are done, a stop is requested, or an exception other than out of memory ends the run as
  /// kFailed with its message. A last checkpoint is kept in each case, unless the optimizer failed during its step.
  /// Does not throw.
  wire::Finished run();

 private:
  wire::Finished steps();
  wire::Finished ended(wire::Outcome outcome) const;
  /// Returns a hint on what to do after the run ended by itself.
  std::string next_step() const;
  void enter(wire::RunState state);

  // Processing of requests, at step boundaries only.
  void apply(const Control::Next& next);
  void apply_policy(const wire::PolicySet& policy);
  void put_in_force(const wire::PolicySet& policy);
  void apply_scales(const Control::Next& next);
  void meet(const Control::FileRequest& request);
  void load(const Control::FileRequest& request);
  void compare(const Control::CompareDone& done);

  void one_step();
  /// Reports rules for calls that did not occur since the policy is in force.
  void tell_missed_calls();
  /// Reports rules that had nothing to cast in the first step under the current policy.
  void report_unused_rules();
  void tell(const StepOutcome& outcome);
  /// If a format is blamed after the weights have changed, checks whether float32 does better.
  void ask_float32_about(StepOutcome& outcome);
  Float32Question question_of(std::int64_t step) const;
  /// Records which parameters became non-finite in an optimizer step in a low format, to explain later findings.
  void note_broken_updates(const silent::Evidence& evidence);
  void judge_by_float32(wire::Diagnosis& diagnosis, const Float32Answer& answer, double scale) const;
  void tell_casts(const wire::StepRecord& record);
  /// Reports silent faults.
  void tell_silent(const StepOutcome& outcome);
  /// `news`: a separate event was reported.
  void tell_silent(const std::vector<wire::Event>& events, bool news = false);
  void judge(const StepOutcome& outcome);
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
  Stepper stepper_;
  diagnose::FixWatch fixes_;
  casts::CastCosts casts_;
  silent::SilentFaultDetector silent_;
  std::chrono::steady_clock::time_point silent_told_{};
  std::int64_t silent_observed_steps_ = 0;  ///< observed steps in the last report
  const std::int64_t first_step_;
  std::int64_t step_;          ///< the next one
  std::int64_t policy_since_;  ///< the first step under the current policy
  std::int64_t evaluated_at_ = -1;
  std::int64_t kept_at_ = -1;        ///< the step of the last checkpoint if the state is unchanged since; -1: it is not
  std::optional<double> last_loss_;  ///< of the previous step; nullopt: there was none
  std::int64_t not_finite_ = 0;      ///< consecutive non-finite losses
  std::int64_t taken_ = 0;           ///< steps that changed parameters
  std::int64_t skipped_ = 0;
  bool was_finite_ = false;  ///< at least one loss was finite
  /// The state of questions to float32 under one policy.
  struct AskedFloat32 {
    std::optional<double> first_loss;  ///< first finite loss
    double last_loss = 0;              ///< last finite loss
    double first_norm = 0;             ///< of the weights, when the run started
    int revision = -1;
    int asked = 0;
    Float32Question question;
    std::optional<Float32Answer> answer;
  };
  AskedFloat32 float32_;
  std::string known_cause_;                       ///< of the newest non-finite step, as proved; with a fix if known
  std::pair<int, int> known_at_{-1, -1};          ///< its site and policy revision
  std::map<std::string, std::string> broken_by_;  ///< by parameter, as a sentence
  std::optional<wire::Event> gave_up_;            ///< why an unattended run ends
  std::string cause_;                             ///< of the last non-finite loss, with its fix; empty: unknown
  wire::RunState state_ = wire::RunState::kLoading;
};

/// Converts any exception of a run to message and hint. Call it in an exception handler.
wire::Finished failure(std::int64_t steps);

}  // namespace binade::run
