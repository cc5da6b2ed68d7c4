// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/outbox.h"
#include "engine/run/listener.h"

namespace binade::host {

/// Forwards every notification of a run to the explorer. Never blocks on it.
class PipeListener : public run::Listener {
 public:
  explicit PipeListener(Outbox& outbox) : outbox_(outbox) {}

  void on_started(const wire::RunStarted& started) override { outbox_.post(started); }
  void on_state(const wire::StateChanged& change) override { outbox_.post(change); }
  void on_step(const wire::StepRecord& step) override { outbox_.post(step); }
  void on_event(const wire::Event& event) override { outbox_.post(event); }
  void on_policy(const wire::PolicyApplied& applied) override { outbox_.post(applied); }
  void on_evaluated(const wire::Evaluated& evaluated) override { outbox_.post(evaluated); }
  void on_scaler(const wire::ScalerChanged& change) override { outbox_.post(change); }
  void on_checkpoint(const wire::CheckpointInfo& saved) override { outbox_.post(saved); }
  void on_rewound(const wire::Rewound& rewound) override { outbox_.post(rewound); }
  void on_casts(const wire::CastLedger& casts) override { outbox_.post(casts); }
  void on_comparison(const wire::Float32Comparison& comparison) override { outbox_.post(comparison); }
  void on_silent(const wire::SilentReport& report) override { outbox_.post(report); }
  void on_observe_cost(const wire::ObserveCost& cost) override { outbox_.post(cost); }
  void on_profile(const wire::Profile& profile) override { outbox_.post(profile); }
  void on_log(const wire::LogLine& line) override { outbox_.post(line); }
  void on_finished(const wire::Finished& finished) override { outbox_.post(finished); }

 private:
  Outbox& outbox_;
};

}  // namespace binade::host
