// SPDX-License-Identifier: Apache-2.0
#include "engine/run/call_rules.h"

#include "engine/policy/finding_text.h"

#include <map>

namespace binade::run {

namespace {

/// `did not run in the forward`, `ran as call 0 of the forward`, `ran as calls 0 to 2 of a forward at most`
std::string how_often(int calls, bool one_step) {
  if (calls == 0) return one_step ? "did not run in the forward" : "did not run in any forward";
  std::string ran = calls == 1 ? "ran as call 0" : "ran as calls 0 to " + std::to_string(calls - 1);
  return ran.append(one_step ? " of the forward" : " of a forward at most");
}

}  // namespace

std::vector<std::string> calls_that_did_not_run(const train::Training& training, std::int64_t first,
                                                std::int64_t last) {
  const std::string when = first == last ? "in step " + std::to_string(first)
                                         : "in steps " + std::to_string(first) + " to " + std::to_string(last);
  std::map<int, std::vector<int>> missed;  // sites by rule
  for (const auto& [place, decision] : training.policy->calls) {
    const auto [site, call] = place;
    const bool loops = training.sites[static_cast<std::size_t>(site)]->in_loop;
    if (loops && training.autocast.most_calls(site) <= call) missed[decision.rule].push_back(site);
  }
  std::vector<std::string> sentences;
  for (const auto& [rule, sites] : missed) {
    const policy::Policy& policy = training.config.policy;
    const int call = policy.sites[static_cast<std::size_t>(rule)].call.value_or(0);
    std::vector<std::string> names;
    for (const int site : sites) names.push_back(training.sites[static_cast<std::size_t>(site)]->key.name());
    std::string sentence =
        policy::place_of(policy, rule) + ": call " + std::to_string(call) + " did not run " + when + ": ";
    sentence += policy::first_of(names) + " " + how_often(training.autocast.most_calls(sites.front()), first == last);
    sentences.push_back(sentence + (sites.size() == 1 ? "." : ", the first of them."));
  }
  return sentences;
}

}  // namespace binade::run
