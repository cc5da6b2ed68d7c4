// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/rule_text.h"

namespace binade::policy {

std::string rule_text(const SiteRule& rule) {
  std::string text = formats::name(rule.format);
  if (rule.backward) text += ", gradients " + formats::name(*rule.backward);
  if (rule.execution != Execution::kAuto) text += ", " + name(rule.execution);
  if (rule.overflow) {
    text += *rule.overflow == formats::Overflow::kSaturate ? ", saturating" : ", overflowing to infinity";
  }
  return text;
}

std::string format_text(const Decision& decision) {
  std::string text = formats::name(decision.format);
  if (decision.backward != decision.format) text += ", gradients " + formats::name(decision.backward);
  if (decision.overflow != formats::default_overflow(decision.format)) {
    text += decision.overflow == formats::Overflow::kSaturate ? ", saturating" : ", overflowing to infinity";
  }
  return text;
}

}  // namespace binade::policy
