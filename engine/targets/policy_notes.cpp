// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/policy_notes.h"

#include "engine/formats/error.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/site_match.h"

#include <algorithm>

namespace binade::targets {

void refuse_foreign_policy(const Assignment& assignment, const std::string& policy) {
  std::size_t rules = 0;
  std::string meant;  // of the first rule
  for (const policy::SiteRule& rule : assignment.policy.sites) {
    const auto matched = [&rule](const policy::SiteKey& key) { return policy::matches(rule.match, key); };
    if (std::any_of(assignment.keys.begin(), assignment.keys.end(), matched)) return;
    if (policy::speaks_of_loss(rule)) continue;
    ++rules;
    if (meant.empty()) meant = policy::match_in_captured(rule.match, assignment.keys);
  }
  if (rules == 0) return;
  throw Error(
      ErrorCode::kBadPolicy,
      policy + " belongs to another model: " +
          (rules == 1 ? "its site rule matches" : "none of its " + std::to_string(rules) + " site rules matches") +
          (rules == 1 ? " no op call of " : " an op call of ") + assignment.model,
      (meant.empty() ? std::string() : "Did you mean \"" + meant + "\"? ") +
          "Export the model that the policy was tuned on, or correct the rules. `binade-engine policy check " + policy +
          " " + assignment.model + "` reports each of them.");
}

std::vector<Finding> notes_of(const policy::Policy& policy, const policy::Resolved& table) {
  std::vector<Finding> notes;
  for (const policy::Finding& finding : table.findings) {
    const bool of_loss =
        finding.rule >= 0 && policy::speaks_of_loss(policy.sites[static_cast<std::size_t>(finding.rule)]);
    const bool warns = finding.severity == policy::Finding::Severity::kWarning;
    if (!of_loss) notes.push_back({warns ? Finding::Kind::kWarning : Finding::Kind::kNote, finding.message, {}});
  }
  return notes;
}

std::vector<std::string> left_out(const policy::Policy& policy, const policy::Resolved& table) {
  std::vector<std::string> rules;
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    const int rule = static_cast<int>(i);
    const auto goes_by_it = [rule](const policy::Decision& decision) { return decision.rule == rule; };
    if (!policy::speaks_of_loss(policy.sites[i])) continue;
    // A module of the model has that name.
    if (std::any_of(table.sites.begin(), table.sites.end(), goes_by_it)) continue;
    rules.push_back(policy::place_of(policy, rule) + ": " + policy::rule_text(policy.sites[i]));
  }
  return rules;
}

}  // namespace binade::targets
