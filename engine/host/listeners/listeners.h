// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/listener.h"

#include <vector>

namespace binade::host {

/// Forwards every notification to several listeners, in order. Does not own them.
class Listeners : public run::Listener {
 public:
  void add(run::Listener* listener) { all_.push_back(listener); }

  void on_started(const wire::RunStarted& started) override { tell(&Listener::on_started, started); }
  void on_state(const wire::StateChanged& change) override { tell(&Listener::on_state, change); }
  void on_step(const wire::StepRecord& step) override { tell(&Listener::on_step, step); }
  void on_event(const wire::Event& event) override { tell(&Listener::on_event, event); }
  void on_policy(const wire::PolicyApplied& applied) override { tell(&Listener::on_policy, applied); }
  void on_evaluated(const wire::Evaluated& evaluated) override { tell(&Listener::on_evaluated, evaluated); }
  void on_scaler(const wire::ScalerChanged& change) override { tell(&Listener::on_scaler, change); }
  void on_checkpoint(const wire::CheckpointInfo& saved) override { tell(&Listener::on_checkpoint, saved); }
  void on_rewound(const wire::Rewound& rewound) override { tell(&Listener::on_rewound, rewound); }
  void on_casts(const wire::CastLedger& casts) override { tell(&Listener::on_casts, casts); }
  void on_comparison(const wire::Float32Comparison& comparison) override { tell(&Listener::on_comparison, comparison); }
  void on_silent(const wire::SilentReport& report) override { tell(&Listener::on_silent, report); }
  void on_observe_cost(const wire::ObserveCost& cost) override { tell(&Listener::on_observe_cost, cost); }
  void on_profiling(const wire::ProfileConfig& profile) override { tell(&Listener::on_profiling, profile); }
  void on_times(const wire::StepTimes& times) override { tell(&Listener::on_times, times); }
  void on_profile(const wire::Profile& profile) override { tell(&Listener::on_profile, profile); }
  void on_log(const wire::LogLine& line) override { tell(&Listener::on_log, line); }
  void on_finished(const wire::Finished& finished) override { tell(&Listener::on_finished, finished); }

 private:
  template <class Value>
  void tell(void (Listener::*about)(const Value&), const Value& value) {
    for (run::Listener* listener : all_) (listener->*about)(value);
  }

  std::vector<run::Listener*> all_;
};

}  // namespace binade::host
