// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/assigned_model.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <utility>

namespace binade::host {

AssignedModel::AssignedModel(const std::string& model, policy::Policy policy) : sites_(model) {
  assignment_.model = model;
  assignment_.policy = std::move(policy);
  assignment_.keys = sites_.keys();
  assignment_.places = sites_.places();
  assignment_.sources = sites_.sources();
  const policy::Capabilities every{.native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = true};
  assignment_.table = policy::resolve(assignment_.policy, assignment_.keys, every, assignment_.places);
}

void refuse_foreign_policy(const targets::Assignment& assignment, const std::string& policy) {
  std::size_t rules = 0;
  for (const policy::SiteRule& rule : assignment.policy.sites) {
    const auto matched = [&rule](const policy::SiteKey& key) { return policy::matches(rule.match, key); };
    if (std::any_of(assignment.keys.begin(), assignment.keys.end(), matched)) return;
    if (!speaks_of_loss(rule)) ++rules;
  }
  if (rules == 0) return;
  throw Error(
      ErrorCode::kBadPolicy,
      policy + " belongs to another model: " +
          (rules == 1 ? "its site rule matches" : "none of its " + std::to_string(rules) + " site rules matches") +
          (rules == 1 ? " no op call of " : " an op call of ") + assignment.model,
      "Export the model that the policy was tuned on, or correct the rules. `binade-engine policy check " + policy +
          " " + assignment.model + "` reports each of them.");
}

}  // namespace binade::host
