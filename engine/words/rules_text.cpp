// SPDX-License-Identifier: Apache-2.0
#include "engine/words/rules_text.h"

#include <cstddef>

namespace binade::words {

bool is_everything(const std::vector<policy::SiteRule>& rules) {
  return rules.size() == 1 && rules.front().match == "*";
}

std::string rules_text(const std::vector<policy::SiteRule>& rules) {
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < rules.size() && i < kMostNamed; ++i) {
    text.append(i == 0 ? "" : ", ").append(is_everything(rules) ? "every op call" : rules[i].match);
  }
  if (rules.size() > kMostNamed) text += " and " + std::to_string(rules.size() - kMostNamed) + " more";
  return rules.empty() ? "" : text + " in " + formats::name(rules.front().format);
}

}  // namespace binade::words
