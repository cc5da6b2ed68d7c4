// SPDX-License-Identifier: Apache-2.0
#include "tests/planted/mend_case.h"

#include "engine/search/reference.h"
#include "engine/train/training.h"
#include "engine/tuning/failing_calls.h"
#include "engine/tuning/measure_evidence.h"
#include "engine/tuning/prove.h"
#include "tests/planted/check_case.h"
#include "tests/support/prefix_bisection.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace binade::test {

namespace {

bool isMinimal(const PlantedCase& planted, const search::Point& found, trial::Trials& trials, std::int64_t steps) {
  // Each known op call is needed beside the others, so a part of them needs no further try.
  const bool all_known = std::all_of(found.changed.begin(), found.changed.end(), [&](const std::string& call) {
    return std::find(planted.known.begin(), planted.known.end(), call) != planted.known.end();
  });
  if (all_known) return true;
  return std::none_of(found.changed.begin(), found.changed.end(), [&](const std::string& call) {
    policy::Policy others = found.policy;
    std::erase_if(others.sites, [&](const policy::SiteRule& rule) { return rule.match == call; });
    return holds(besideFloat32(trials, others, steps));
  });
}

}  // namespace

Mended mend(const PlantedCase& planted, trial::Trials& trials, std::int64_t steps, std::int64_t most_tries) {
  const search::Order order{
      .base = planted.run.policy, .goal = search::Goal::kRepair, .budget = {.tries = most_tries, .seconds = {}}};
  search::StepEvidence evidence =
      tuning::measure(trials.training(), order.base, trials.first_step(), search::low_format(order));
  const auto failing = train::set_up(planted.run);
  tuning::mark_failing_calls(*failing, trials.first_step(), steps, {}, evidence);
  tuning::Prover prover(trials, {.goal = order.goal, .base = search::reference(order), .steps = steps});
  const search::Progress progress = search::run(order, evidence, std::ref(prover), {});

  Mended mended{.found = {}, .tries = progress.tries, .calls = {}};
  for (const search::CallEvidence& call : evidence.calls) mended.calls.push_back(call.call);
  const std::vector<search::Point> front = search::front(progress, std::numeric_limits<double>::infinity());
  if (front.empty()) return mended;
  mended.found = front.front();
  mended.is_minimal = isMinimal(planted, *mended.found, trials, steps);
  return mended;
}

std::size_t triesByPrefix(const PlantedCase& planted, trial::Trials& trials, std::int64_t steps,
                          const std::vector<std::string>& calls) {
  const auto is_held_by = [&](const std::vector<bool>& raised) {
    std::vector<std::string> chosen;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (raised[i]) chosen.push_back(calls[i]);
    }
    return holds(besideFloat32(trials, withFloat32(planted.run.policy, chosen), steps));
  };
  return prefix_bisection(calls.size(), is_held_by).tries;
}

}  // namespace binade::test
