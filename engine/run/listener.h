// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"
#include "engine/wire/observe_cost.h"
#include "engine/wire/profile.h"
#include "engine/wire/silent_fault.h"

namespace binade::run {

/// Receives everything that happens in a run, on the training thread, in order. The pipe, the recorder and the headless
/// printer are listeners. Implementations must not block.
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
  /// The next step is an earlier or a later one; reports about steps from there on are void.
  virtual void on_rewound(const wire::Rewound& /*rewound*/) {}
  /// What casts cost over some of the steps since the last report. The newest report of a policy revision is
  /// representative.
  virtual void on_casts(const wire::CastLedger& /*casts*/) {}
  /// One step was compared with float32, on request or to confirm a suspected loss. The training is unchanged.
  virtual void on_comparison(const wire::Float32Comparison& /*comparison*/) {}
  /// Silent faults: called when there is a new one, periodically while the run is displayed live (ObserveConfig::live),
  /// and at the end. The newest report describes the run.
  virtual void on_silent(const wire::SilentReport& /*report*/) {}
  /// The cost of observing: called once it is known, then occasionally, and at the end.
  virtual void on_observe_cost(const wire::ObserveCost& /*cost*/) {}
  /// The profile settings from the next step on; called at the start if the run is profiled.
  virtual void on_profiling(const wire::ProfileConfig& /*profile*/) {}
  /// Times of a profiled step; called after on_step().
  virtual void on_times(const wire::StepTimes& /*times*/) {}
  /// Results of profiled steps. Not sent by the run itself, but by a listener that makes profiles.
  virtual void on_profile(const wire::Profile& /*profile*/) {}
  virtual void on_log(const wire::LogLine& /*line*/) {}
  virtual void on_finished(const wire::Finished& /*finished*/) {}
};

}  // namespace binade::run
