// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/graph/samples.h"
#include "engine/run/run_loop.h"
#include "engine/words/event_text.h"
#include "engine/words/silent_text.h"
#include "tests/diagnose/faults.h"
#include "tests/run/listening.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <torch/csrc/jit/api/module.h>

#include <functional>
#include <string>
#include <vector>

namespace binade::test {

/// A short healthy run that observes every step.
inline wire::RunConfig watched(const std::string& sample, std::int64_t steps) {
  wire::RunConfig config = healthyRun(sample);
  config.observe = {.level = "histogram", .every = 1, .measure_cost = false};
  config.scaler.init_scale = 65536;
  config.steps = steps;
  return config;
}

inline at::Tensor parameter(const train::Training& training, const std::string& name) {
  for (const auto& [key, tensor] : training.model.parameters()) {
    if (key == name) return tensor.detach();
  }
  return {};
}

/// What a training told of silent faults.
struct Ran {
  std::vector<wire::SilentFault> faults;
  std::vector<wire::Event> events;
  std::vector<std::string> hidden;  ///< what the last report does not know, in words
  std::vector<wire::ParameterUpdate> updates;
  std::vector<std::string> sites;
  std::vector<wire::SiteInfo> infos;  ///< the same op calls

  /// The fault in words.
  std::string sentence(std::size_t i) const { return words::silent_sentence(faults.at(i), infos); }
  /// The event in words.
  std::string said(std::size_t i) const { return words::sentence_of(events.at(i), {infos, {}}); }
  std::string site(std::size_t i) const {
    const int id = faults.at(i).site;
    return id < 0 ? std::string() : sites.at(static_cast<std::size_t>(id));
  }
};

/// Plants a fault in a training that is set up, then runs it; `at_step` goes on planting.
inline Ran trained(const wire::RunConfig& config, const std::function<void(train::Training&)>& plant = {},
                   const std::function<void(train::Training&)>& at_step = {}) {
  const auto training = train::set_up(config);
  if (plant) plant(*training);
  Listening listening;
  if (at_step) listening.at_step = [&](const wire::StepRecord&) { at_step(*training); };
  run::Control control;
  checkpoint::CheckpointFolder none({}, {});
  const wire::Finished finished = run::RunLoop(*training, none, 0, listening, control).run();
  Ran ran;
  if (finished.outcome != wire::Outcome::kCompleted) {
    qWarning("%s", finished.message.c_str());
    return ran;
  }
  for (const graph::Site* site : training->sites) ran.sites.push_back(site->key.name());
  ran.infos = training->info.sites;
  for (const wire::Event& event : listening.events) {
    if (event.kind == wire::Event::Kind::kSilent) ran.events.push_back(event);
  }
  if (listening.silent.empty()) return ran;
  ran.faults = listening.silent.back().faults;
  for (const wire::SilentGap& gap : listening.silent.back().hidden) {
    ran.hidden.push_back(words::silent_gap(gap, ran.infos));
  }
  ran.updates = listening.silent.back().updates;
  return ran;
}

inline std::string named(const std::vector<wire::SilentFault>& faults) {
  std::string text = "none";
  for (const auto& fault : faults) text += "\n  " + wire::name(fault.kind) + ": " + words::silent_sentence(fault, {});
  return text;
}

}  // namespace binade::test

#define FIRST_IS(ran, wanted) \
  QVERIFY2(!(ran).faults.empty() && (ran).faults.front().kind == (wanted), binade::test::named((ran).faults).c_str())
