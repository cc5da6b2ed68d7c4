// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/target_list.h"

#include <nlohmann/json.hpp>

namespace binade::targets {

namespace {

/// Installed as share/binade/schemas/policy.schema.json. Editors look for a relative name beside the policy.
constexpr const char* kPolicySchema = "policy.schema.json";

Written write_json(const Assignment& assignment) {
  nlohmann::ordered_json json{{"$schema", kPolicySchema}};
  json.update(nlohmann::ordered_json::parse(policy::to_json(assignment.policy)));
  return {json.dump(2) + "\n", {}};
}

Read read_json(std::string_view text, const std::string& source, const Assignment&) {
  return {policy::parse_policy(text, source), std::nullopt, {}};
}

}  // namespace

Target json_target() {
  return {.name = "json",
          .title = "Binade policy",
          .suffix = ".policy.json",
          .doc = "The policy as Binade reads it, with a reference to its JSON Schema; nothing is lost.",
          .write = write_json,
          .read = read_json};
}

}  // namespace binade::targets
