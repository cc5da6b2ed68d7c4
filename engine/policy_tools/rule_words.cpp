// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/rule_words.h"

#include "engine/policy/finding_text.h"

#include <algorithm>

namespace binade::policy_tools {

std::string rule_words(const policy::SiteRule& rule, int origin) {
  const std::string match = rule.match + (rule.call ? ", call " + std::to_string(*rule.call) : "");
  const std::string place = origin == kMade ? match : policy::short_place(origin) + " (" + match + ")";
  return place + ": " + policy::rule_text(rule);
}

std::string op_words(const std::string& key, const policy::OpChange& change) {
  return "ops[\"" + key + "\"]: " + policy::to_text(change);
}

std::string joined_reasons(const std::vector<std::string>& reasons) {
  std::vector<std::string> distinct;
  for (const std::string& reason : reasons) {
    if (reason.empty() || std::find(distinct.begin(), distinct.end(), reason) != distinct.end()) continue;
    distinct.push_back(reason);
  }
  std::string text;
  for (const std::string& reason : distinct) text += (text.empty() ? "" : "; ") + reason;
  return text;
}

}  // namespace binade::policy_tools
