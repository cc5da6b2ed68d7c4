// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/reading.h"

#include "engine/formats/error.h"
#include "engine/run/trainer.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "engine/words/silent_text.h"
#include "tests/run/listening.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace binade::test {

namespace {

constexpr std::int64_t kStepsBehind = 60;  // more than a run takes to be called diverged

std::string siteName(const wire::RunStarted& started, int site) {
  return started.model.sites.at(static_cast<std::size_t>(site)).key.name();
}

std::vector<std::string> namesOf(const wire::Diagnosis& diagnosis, const wire::RunStarted& started) {
  using F = wire::Root::Fault;
  std::vector<std::string> names;
  for (const wire::Root& root : diagnosis.roots) {
    const bool outside = root.fault == F::kData || root.fault == F::kParameter || root.fault == F::kBuffer;
    names.push_back(outside || root.site < 0 ? root.what : siteName(started, root.site));
  }
  return names;
}

bool isFinite(const wire::StepRecord& step) {
  return std::isfinite(step.loss) && !step.found_inf;
}

void readEvents(Reading& reading, const Listening& heard) {
  std::set<std::pair<std::string, std::vector<std::string>>> told;
  for (const wire::Event& event : heard.events) {
    if (!event.diagnosis) continue;
    bool finite = false;
    for (const wire::StepRecord& step : heard.steps) finite = finite || (step.step == event.step && isFinite(step));
    Answer answer;
    answer.reason = reasonOf(*event.diagnosis, finite);
    answer.sites = namesOf(*event.diagnosis, heard.started.front());
    if (answer.reason.empty() || !told.emplace(answer.reason, answer.sites).second) continue;
    answer.fix = event.diagnosis->fix;
    answer.text = heard.said(event) + "\n" + words::explanation_of(*event.diagnosis, {}) + "\n" +
                  words::fix_of(event.diagnosis->fix);
    answer.step = event.step;
    reading.answers.push_back(std::move(answer));
  }
}

void readSilent(Reading& reading, const Listening& heard) {
  // The words of the kinds that the answers of events have too.
  static const std::map<std::string, std::string, std::less<>> same{{"vanished_overflow", "vanished"},
                                                                    {"lost_sum", "accumulation"}};
  if (heard.silent.empty()) return;
  const std::vector<wire::SiteInfo>& sites = heard.started.front().model.sites;
  for (const wire::SilentFault& fault : heard.silent.back().faults) {
    Answer answer;
    answer.reason = wire::name(fault.kind);
    if (const auto known = same.find(answer.reason); known != same.end()) answer.reason = known->second;
    answer.sites = {fault.site < 0 ? fault.what : siteName(heard.started.front(), fault.site)};
    answer.fix = fault.fix;
    answer.text = words::silent_sentence(fault, sites) + "\n" + words::silent_next(fault, sites) + "\n" +
                  words::fix_of(fault.fix);
    answer.step = fault.first_step;
    reading.silent.push_back(std::move(answer));
  }
}

}  // namespace

std::string reasonOf(const wire::Diagnosis& diagnosis, bool finite_step) {
  static const std::map<std::string, std::string, std::less<>> words{{"benign", ""},
                                                                     {"scale_held", "scale_held"},
                                                                     {"no_scale_works", "gradient"},
                                                                     {"overflow_at_site", "gradient"},
                                                                     {"cast_overflow", "cast"},
                                                                     {"non_finite_data", "data"},
                                                                     {"huge_data", "data"},
                                                                     {"learning_rate", "learning_rate"},
                                                                     {"lost_value", "lost"},
                                                                     {"non_finite_parameter", "parameter"},
                                                                     {"poisoned_buffer", "buffer"},
                                                                     {"propagated_only", "outside"},
                                                                     {"undetermined", "unknown"}};
  const std::string verdict = wire::name(diagnosis.verdict);
  if (verdict == "invalid_operation") return diagnosis.fix.rules.empty() ? "invalid" : "lost";
  if (verdict == "forward_overflow") {
    if (finite_step) return "vanished";
    const bool wide = !diagnosis.roots.empty() && diagnosis.roots.front().format == formats::kFloat32;
    return wide ? "overflow_wide" : "overflow";
  }
  const auto known = words.find(verdict);
  return known == words.end() ? verdict : known->second;
}

Reading readRun(const wire::RunConfig& run, bool until_told) {
  at::set_num_threads(1);  // the models are too small to share out
  Reading reading;
  Listening heard;
  run::Control control(/*attended=*/false);
  std::int64_t first = -1;
  heard.at_step = [&](const wire::StepRecord& step) {
    reading.losses.push_back(step.loss);
    reading.scales.push_back(step.scale);
    reading.stepped.push_back(step.stepped);
    if (!until_told) return;
    for (std::size_t i = 0; first < 0 && i < heard.events.size(); ++i) {
      const auto& diagnosis = heard.events[i].diagnosis;
      if (diagnosis && !reasonOf(*diagnosis, false).empty()) first = step.step;
    }
    if (first >= 0 && step.step >= first + kStepsBehind) control.stop();
  };
  try {
    run::Trainer trainer(run, heard, control.stop_token());
    const wire::Finished finished = trainer.run(control);
    reading.completed = finished.outcome == wire::Outcome::kCompleted;
    reading.said = finished.message + "\n" + finished.hint;
  } catch (const Error& error) {
    reading.refused = error.what();
    return reading;
  }
  for (const wire::Event& event : heard.events) reading.said += "\n" + heard.said(event);
  readEvents(reading, heard);
  readSilent(reading, heard);
  return reading;
}

}  // namespace binade::test
