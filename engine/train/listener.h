// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"
#include "engine/wire/observe_cost.h"
#include "engine/wire/profile.h"
#include "engine/wire/silent_fault.h"

namespace binade::train {

/// Hears everything a run does, on the training thread, in order. The pipe, the recorder and the headless printer are
/// listeners; none may block.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on_started(const wire::RunStarted& /*started*/) {}
  virtual void on_state(const wire::StateChanged& /*change*/) {}
  virtual void on_step(const wire::StepRecord& /*step*/) {}
  virtual void on_event(const wire::Event& /*event*/) {}
  virtual void on_policy(const wire::PolicyApplied& /*applied*/) {}
  virtual void on_evaluated(const wire::Evaluated& /*evaluated*/) {}
  virtual void on_scaler(const wire::ScalerChanged& /*change*/) {}
  virtual void on_checkpoint(const wire::CheckpointInfo& /*saved*/) {}
  /// The next step is an earlier one again, or a later one: what was told of steps from there on is no longer so.
  virtual void on_rewound(const wire::Rewound& /*rewound*/) {}
  /// What casts cost over some of the steps since the last of these; the newest of a policy revision stands for it.
  virtual void on_casts(const wire::CastLedger& /*casts*/) {}
  /// One step was run beside float32, because a person asked or to confirm what may be lost; the training went on
  /// untouched.
  virtual void on_comparison(const wire::Float32Comparison& /*comparison*/) {}
  /// What is wrong although nothing is infinite: when something new is, where somebody watches as often as steps are
  /// looked at for that (ObserveConfig::live), and at the end where anything is. The newest stands for the run.
  virtual void on_silent(const wire::SilentReport& /*report*/) {}
  /// What observing costs: once there is a figure, now and then while the run goes on, and at its end.
  virtual void on_observe_cost(const wire::ObserveCost& /*cost*/) {}
  /// How the run is profiled from the next step on; told at the start where it is profiled at all.
  virtual void on_profiling(const wire::ProfileConfig& /*profile*/) {}
  /// Of a profiled step, behind on_step.
  virtual void on_times(const wire::StepTimes& /*times*/) {}
  /// What came of profiled steps. The run tells none: a listener that makes profiles tells the others.
  virtual void on_profile(const wire::Profile& /*profile*/) {}
  virtual void on_log(const wire::LogLine& /*line*/) {}
  virtual void on_finished(const wire::Finished& /*finished*/) {}
};

}  // namespace binade::train
