// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/finding_text.h"

namespace binade::policy {

namespace {

std::string gradients_text(const formats::Format& format) {
  return ", gradients " + formats::name(format);
}

std::string overflow_text(formats::Overflow overflow) {
  return overflow == formats::Overflow::kSaturate ? ", saturating" : ", overflowing to infinity";
}

}  // namespace

std::string short_place(int rule) {
  return "sites[" + std::to_string(rule) + "]";
}

std::string place_of(const Policy& policy, int rule) {
  return short_place(rule) + " (" + policy.sites[static_cast<std::size_t>(rule)].match + ")";
}

std::string place_of(const Policy& policy, const Decision& decision, const SiteKey& site) {
  if (decision.rule >= 0) return short_place(decision.rule);
  if (decision.block >= 0) return "the model's own block";
  if (decision.rule == kFromBase) return "low";
  const std::string overload = site.op + "." + (site.overload.empty() ? "default" : site.overload);
  return "ops[\"" + (policy.ops.contains(overload) ? overload : site.op) + "\"]";
}

std::string rule_text(const SiteRule& rule) {
  std::string text = formats::name(rule.format);
  if (rule.backward) text += gradients_text(*rule.backward);
  if (rule.execution != Execution::kAuto) text += ", " + name(rule.execution);
  if (rule.overflow) text += overflow_text(*rule.overflow);
  if (!rule.products.empty()) text += ", products " + products_text(rule.products);
  return text;
}

std::string format_text(const Decision& decision) {
  std::string text = formats::name(decision.format);
  if (decision.backward != decision.format) text += gradients_text(decision.backward);
  if (decision.overflow != formats::default_overflow(decision.format)) text += overflow_text(decision.overflow);
  if (!decision.products.empty()) text += ", products " + products_text(decision.products);
  return text;
}

std::string op_calls(std::size_t count) {
  return count == 1 ? "1 op call" : std::to_string(count) + " op calls";
}

std::string first_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text;
}

}  // namespace binade::policy
