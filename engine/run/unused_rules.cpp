// SPDX-License-Identifier: Apache-2.0
#include "engine/run/unused_rules.h"

#include "engine/autocast/arguments.h"
#include "engine/autocast/unused_findings.h"
#include "engine/policy/finding_text.h"

#include <map>
#include <utility>

namespace binade::run {

namespace {

using policy::Decision;

/// Returns whether the user requests a format where one can be applied; other requests are reported beforehand.
bool asks(const Decision& decision, const graph::Site& site) {
  return decision.rule != policy::kFromBase && autocast::takes_a_format(site) &&
         (decision.kind == Decision::Kind::kFormat || decision.kind == Decision::Kind::kPromote);
}

bool has_something_to_cast(const autocast::Arguments& arguments) {
  bool found = false;
  autocast::each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t i) {
    found = found || (arguments.castable(i) && arguments.eligible(tensor));
  });
  return found;
}

/// Returns whether it is a site rule for all calls; single calls are reported by calls_that_did_not_run(). Op changes
/// are excluded, since they may apply inside composite ops.
bool is_for_all_calls(const policy::Policy& policy, int rule) {
  return rule >= 0 && !policy.sites[static_cast<std::size_t>(rule)].call;
}

}  // namespace

void UnusedRules::watch() {
  on_ = true;
  states_.assign(training_.sites.size(), State::kNotAsked);
  const policy::Resolved& table = *training_.policy;
  const auto look = [&](std::size_t site, const Decision& decision) {
    if (asks(decision, *training_.sites[site])) states_[site] = State::kWaiting;
  };
  for (std::size_t i = 0; i < table.sites.size(); ++i) look(i, table.sites[i]);
  for (const auto& [place, decision] : table.calls) look(static_cast<std::size_t>(place.first), decision);
}

void UnusedRules::before(graph::Call& call) {
  State& state = states_[static_cast<std::size_t>(call.site.id)];
  if (state != State::kWaiting && state != State::kNothing) return;
  const autocast::Arguments arguments{call.stack, call.site, training_.device.type()};
  state = has_something_to_cast(arguments) ? State::kSomething : State::kNothing;
}

std::vector<std::string> UnusedRules::take() {
  if (!std::exchange(on_, false)) return {};
  struct Part {
    std::vector<std::string> unused;
    std::vector<std::string> waiting;  ///< did not run
    bool has_effect = false;
  };
  std::map<std::pair<int, std::string>, Part> parts;  // in the order of the rules
  const policy::Policy& policy = training_.config.policy;
  const auto add = [&](std::size_t i, const Decision& decision) {
    const graph::Site& site = *training_.sites[i];
    if (!asks(decision, site)) return;
    const std::string place =
        decision.rule >= 0 ? policy::place_of(policy, decision.rule) : policy::place_of(policy, decision, site.key);
    Part& part = parts[{decision.rule, place}];
    if (states_[i] == State::kNothing) {
      part.unused.push_back(site.key.name());
    } else if (states_[i] == State::kWaiting) {
      part.waiting.push_back(site.key.name());
    } else {
      part.has_effect = true;
    }
  };
  const policy::Resolved& table = *training_.policy;
  for (std::size_t i = 0; i < table.sites.size(); ++i) add(i, table.sites[i]);
  for (const auto& [place, decision] : table.calls) add(static_cast<std::size_t>(place.first), decision);

  std::vector<std::string> sentences;
  for (const auto& [place, part] : parts) {
    if (part.has_effect) continue;
    if (!part.unused.empty()) {
      sentences.push_back(place.second + " has no effect: no argument of " + policy::first_of(part.unused) +
                          " is of a floating-point format that is cast.");
    } else if (is_for_all_calls(policy, place.first)) {
      sentences.push_back(
          place.second + ": no op call that it decides ran in the first step: " + policy::first_of(part.waiting) + ".");
    }
  }
  return sentences;
}

}  // namespace binade::run
