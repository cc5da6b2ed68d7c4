// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/policy_json.h"

#include "engine/policy/decision_text.h"

#include <cstdio>

namespace binade::host {

using nlohmann::ordered_json;

void print_json(const ordered_json& line) {
  std::printf("%s\n", line.dump(-1, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

ordered_json to_json(const policy::Policy& policy, const policy::SiteKey& site, const policy::Decision& decision,
                     bool inside) {
  const bool format = decision.kind == policy::Decision::Kind::kFormat;
  ordered_json json{{"treatment", format ? "format" : decision_text(decision, inside)},
                    {"format", format ? formats::name(decision.format) : ""},
                    {"execution", policy::name(decision.execution)},
                    {"rule", decision.rule},
                    {"decided_by", decided_by(policy, site, decision)}};
  if (format) {
    json["backward"] = formats::name(decision.backward);
    json["overflow"] = decision.overflow == formats::Overflow::kSaturate ? "saturate" : "infinity";
  }
  if (decision.rule >= 0) json["why"] = policy.sites[static_cast<std::size_t>(decision.rule)].why;
  return json;
}

}  // namespace binade::host
