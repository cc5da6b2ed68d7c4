// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/listener.h"

#include <functional>
#include <string>
#include <vector>

namespace binade::test {

/// Keeps everything a run says; `at_step` may act on it while it goes on.
class Listening : public run::Listener {
 public:
  void on_started(const wire::RunStarted& value) override { started.push_back(value); }
  void on_state(const wire::StateChanged& value) override {
    states.push_back(value);
    if (at_state) at_state(value);
  }
  void on_step(const wire::StepRecord& value) override {
    steps.push_back(value);
    if (at_step) at_step(value);
  }
  void on_event(const wire::Event& value) override { events.push_back(value); }
  void on_policy(const wire::PolicyApplied& value) override { policies.push_back(value); }
  void on_evaluated(const wire::Evaluated& value) override { evaluations.push_back(value); }
  void on_scaler(const wire::ScalerChanged& value) override { scalers.push_back(value); }
  void on_checkpoint(const wire::CheckpointInfo& value) override { checkpoints.push_back(value); }
  void on_rewound(const wire::Rewound& value) override { rewinds.push_back(value); }
  void on_silent(const wire::SilentReport& value) override { silent.push_back(value); }
  void on_observe_cost(const wire::ObserveCost& value) override { costs.push_back(value); }
  void on_log(const wire::LogLine& value) override { log.push_back(value.text); }
  void on_finished(const wire::Finished& value) override { finished.push_back(value); }

  std::vector<double> losses() const {
    std::vector<double> all;
    for (const auto& step : steps) all.push_back(step.loss);
    return all;
  }

  std::function<void(const wire::StepRecord&)> at_step;
  std::function<void(const wire::StateChanged&)> at_state;
  std::vector<wire::RunStarted> started;
  std::vector<wire::StateChanged> states;
  std::vector<wire::StepRecord> steps;
  std::vector<wire::Event> events;
  std::vector<wire::PolicyApplied> policies;
  std::vector<wire::Evaluated> evaluations;
  std::vector<wire::ScalerChanged> scalers;
  std::vector<wire::CheckpointInfo> checkpoints;
  std::vector<wire::Rewound> rewinds;
  std::vector<wire::ObserveCost> costs;
  std::vector<wire::Finished> finished;
  std::vector<wire::SilentReport> silent;
  std::vector<std::string> log;
};

}  // namespace binade::test
