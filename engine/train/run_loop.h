// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/judge.h"
#include "engine/train/cast_report.h"
#include "engine/train/checkpoint_folder.h"
#include "engine/train/control.h"
#include "engine/train/fix_watch.h"
#include "engine/train/float32_question.h"
#include "engine/train/listener.h"
#include "engine/train/step.h"
#include "engine/train/training.h"

#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>

namespace binade::train {

/// From the first step to the last: asks the control before each, tells the listener after it, keeps checkpoints.
class RunLoop {
 public:
  /// `first_step` is the next step; `folder` outlives the loop.
  RunLoop(Training& training, CheckpointFolder& folder, std::int64_t first_step, Listener& listener, Control& control);

  /// Until all steps are done, control says stop, or something throws that is not memory running out: the last as
  /// kFailed with its message. A last checkpoint is kept in each case, but where the optimizer failed in mid-step.
  /// Throws nothing.
  wire::Finished run();

 private:
  wire::Finished steps();
  wire::Finished ended(wire::Outcome outcome) const;
  /// What to do after a run that ended by itself.
  std::string next_step() const;
  void enter(wire::RunState state);

  // What was asked, at a step boundary and nowhere else.
  void apply(const Control::Next& next);
  void apply_policy(const wire::PolicySet& policy);
  void put_in_force(const wire::PolicySet& policy);
  void apply_scales(const Control::Next& next);
  void meet(const Control::FileRequest& request);
  void load(const Control::FileRequest& request);
  void compare(const Control::CompareDone& done);

  void one_step();
  /// Rules for calls that did not come since the policy is in force.
  void tell_missed_calls();
  /// Rules that found nothing to cast in the first step under the policy in force.
  void tell_idle_rules();
  void tell(const StepOutcome& outcome);
  /// Where a format is blamed once steps have changed the weights: whether float32 does better.
  void ask_float32_about(StepOutcome& outcome);
  Float32Question question_of(std::int64_t step) const;
  /// Which parameters an optimizer's step in a low format has left not finite: what finds them so names it.
  void note_broken_updates(const silent::Evidence& evidence);
  void judge_by_float32(wire::Diagnosis& diagnosis, const Float32Answer& answer, double scale) const;
  void tell_casts(const wire::StepRecord& record);
  /// What is wrong although nothing is infinite.
  void tell_silent(const StepOutcome& outcome);
  /// `news`: of something that an event of its own has told.
  void tell_silent(const std::vector<wire::Event>& events, bool news = false);
  void judge(const StepOutcome& outcome);
  void out_of_memory(const std::string& what);
  /// The end of a run whose optimizer failed in mid-step; to be called in a handler.
  wire::Finished half_stepped();
  /// The run cannot go on by itself: pauses, or ends where nobody is there to resume it.
  void pause_itself(const wire::Event& why);
  void evaluate();

  /// Where a folder is kept; what goes wrong is logged, and the run goes on.
  void keep_checkpoint(const std::string& reason);
  /// The one at the end: a run that was to keep it and could not has failed.
  void keep_last_checkpoint(wire::Finished& finished);
  wire::CheckpointInfo save(const std::string& reason, const std::string& file);

  Training& training_;
  CheckpointFolder& folder_;
  Listener& listener_;
  Control& control_;
  Stepper stepper_;
  FixWatch fixes_;
  CastBook casts_;
  silent::Judge silent_;
  std::chrono::steady_clock::time_point silent_told_{};
  std::int64_t silent_looked_ = 0;  ///< looks that the report told last was made of
  const std::int64_t first_step_;
  std::int64_t step_;          ///< the next one
  std::int64_t policy_since_;  ///< the first step under the policy in force
  std::int64_t evaluated_at_ = -1;
  std::int64_t kept_at_ = -1;        ///< the step of the last checkpoint, where it is of the present state
  std::optional<double> last_loss_;  ///< of the step before; nothing where there was none
  std::int64_t not_finite_ = 0;      ///< losses in a row
  std::int64_t taken_ = 0;           ///< steps that changed parameters
  std::int64_t skipped_ = 0;
  bool was_finite_ = false;  ///< some loss was
  /// What float32 was asked under a policy.
  struct AskedFloat32 {
    std::optional<double> first_loss;  ///< that was finite
    double last_loss = 0;              ///< the same
    double first_norm = 0;             ///< of the weights, when the run began
    int revision = -1;
    int asked = 0;
    Float32Question question;
    std::optional<Float32Answer> answer;
  };
  AskedFloat32 float32_;
  std::string known_cause_;                       ///< of the newest step that was not finite, as proved
  std::map<std::string, std::string> broken_by_;  ///< by parameter, in a sentence
  std::optional<wire::Event> gave_up_;            ///< why a run without anybody there ends
  std::string cause_;  ///< of the last loss that was not finite, with its fix; empty: not known
  wire::RunState state_ = wire::RunState::kLoading;
};

/// Any exception of a run as the message and hint that a person sees; to be called in a handler.
wire::Finished failure(std::int64_t steps);

}  // namespace binade::train
