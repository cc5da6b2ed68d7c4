// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/listener.h"
#include "engine/words/event_text.h"

#include <functional>
#include <string>
#include <vector>

namespace binade::test {

/// Keeps everything a run says; `at_step` may act on it while it goes on.
class Listening : public run::Listener {
 public:
  void receive(wire::NotificationRef notification) override {
    notification.visit(wire::Overloaded{
        [this](const wire::RunStarted& value) {
          started.push_back(value);
          names.add(value);
        },
        [this](const wire::StateChanged& value) {
          states.push_back(value);
          if (at_state) at_state(value);
        },
        [this](const wire::StepRecord& value) {
          steps.push_back(value);
          names.add(value);
          if (at_step) at_step(value);
        },
        [this](const wire::Event& value) { events.push_back(value); },
        [this](const wire::PolicyApplied& value) { policies.push_back(value); },
        [this](const wire::Evaluated& value) { evaluations.push_back(value); },
        [this](const wire::ScalerChanged& value) { scalers.push_back(value); },
        [this](const wire::CheckpointInfo& value) { checkpoints.push_back(value); },
        [this](const wire::Rewound& value) { rewinds.push_back(value); },
        [this](const wire::Float32Comparison& value) { comparisons.push_back(value); },
        [this](const wire::QuantizedStep& value) { quantized.push_back(value); },
        [this](const wire::SilentReport& value) { silent.push_back(value); },
        [this](const wire::ObserveCost& value) { costs.push_back(value); },
        [this](const wire::LogLine& value) { log.push_back(value.text); },
        [this](const wire::Finished& value) { finished.push_back(value); },
        [](const auto& /*other*/) {},
    });
  }

  std::vector<double> losses() const {
    std::vector<double> all;
    for (const auto& step : steps) all.push_back(step.loss);
    return all;
  }

  /// An event in words.
  std::string said(const wire::Event& event) const { return names.sentence_of(event); }

  words::NameBook names;
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
  std::vector<wire::Float32Comparison> comparisons;
  std::vector<wire::QuantizedStep> quantized;
  std::vector<wire::ObserveCost> costs;
  std::vector<wire::Finished> finished;
  std::vector<wire::SilentReport> silent;
  std::vector<std::string> log;
};

}  // namespace binade::test
