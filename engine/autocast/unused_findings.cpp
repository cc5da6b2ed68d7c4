// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/unused_findings.h"

#include "engine/policy/finding_text.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace binade::autocast {

namespace {

using policy::Decision;

bool has_data(const graph::OpTraits& op) {
  return std::any_of(op.roles.begin(), op.roles.end(),
                     [](graph::Role role) { return role == graph::Role::kData || role == graph::Role::kWeight; });
}

/// Sites that one part of the policy decides, grouped by why they take no format.
struct Decided {
  int rule = policy::kFromBase;
  bool has_effect = false;
  std::vector<std::string> views;
  std::vector<std::string> writing;
  std::vector<std::string> without_data;

  void add(const graph::Site& site, const Decision& decision) {
    rule = decision.rule;
    const bool asks = decision.kind == Decision::Kind::kFormat || decision.kind == Decision::Kind::kPromote;
    if (decision.kind == Decision::Kind::kLeave) {
      views.push_back(site.key.name());
    } else if (!asks || takes_a_format(site)) {
      has_effect = true;
    } else {
      (site.in_place ? writing : without_data).push_back(site.key.name());
    }
  }

  std::string reasons() const {
    std::string text;
    const auto say = [&text](const std::vector<std::string>& calls, const char* why) {
      if (calls.empty()) return;
      text += (text.empty() ? "" : "; ") + std::string(why) + " (" + policy::first_of(calls) + ")";
    };
    say(writing, "what writes an argument computes in the dtype of that");
    say(without_data, "indices and masks are never cast");
    say(views, "nor are views");
    return text;
  }
};

}  // namespace

bool takes_a_format(const graph::OpTraits& op) {
  return !op.view && !op.in_place && has_data(op);
}

std::vector<policy::Finding> unused_findings(const policy::Policy& policy, const policy::Resolved& resolved,
                                             std::span<const graph::Site* const> sites) {
  std::map<std::pair<int, std::string>, Decided> parts;  // site rules in their order, after op changes
  const auto look = [&](const graph::Site& site, const Decision& decision) {
    if (decision.rule == policy::kFromBase) return;
    const std::string place =
        decision.rule >= 0 ? policy::place_of(policy, decision.rule) : policy::place_of(policy, decision, site.key);
    parts[{decision.rule, place}].add(site, decision);
  };
  for (std::size_t i = 0; i < sites.size(); ++i) look(*sites[i], resolved.sites[i]);
  for (const auto& [place, decision] : resolved.calls) look(*sites[static_cast<std::size_t>(place.first)], decision);

  std::vector<policy::Finding> findings;
  for (const auto& [place, decided] : parts) {
    if (decided.has_effect || (decided.writing.empty() && decided.without_data.empty())) continue;
    findings.push_back({policy::Finding::Severity::kWarning, decided.rule,
                        place.second + " gives no op call its format: " + decided.reasons() + "."});
  }
  return findings;
}

}  // namespace binade::autocast
