// SPDX-License-Identifier: Apache-2.0
#include "engine/host/decision_text.h"

#include <algorithm>

namespace binade::host {

namespace {

using Kind = policy::Decision::Kind;

struct Word {
  Kind kind;
  const char* word;
  const char* meaning;
};
constexpr Word kWords[] = {
    {Kind::kPromote, "promote", "arguments are cast to the widest of them"},
    {Kind::kFollow, "follow", "computes in what its arguments are; where they disagree, in the widest of them"},
    {Kind::kSetDtype, "float32 result",
     "arguments stay; the op is told to give float32, unless the model says a dtype"},
    {Kind::kAppendDtype, "float32 result", ""},
    {Kind::kBanned, "banned", "refuses to run"},
    {Kind::kLeave, "as it comes", "nothing is done to its arguments: a view, or a policy that casts nothing"},
};

std::string extras(const formats::Format& format, const formats::Format& backward, formats::Overflow overflow) {
  std::string text;
  if (backward != format) text += ", gradients " + formats::name(backward);
  if (overflow != formats::default_overflow(format)) {
    text += overflow == formats::Overflow::kSaturate ? ", saturating" : ", overflowing to infinity";
  }
  return text;
}

}  // namespace

std::string decision_text(const policy::Decision& decision) {
  if (decision.kind == Kind::kFormat) {
    return formats::name(decision.format) + extras(decision.format, decision.backward, decision.overflow) +
           (decision.execution == policy::Execution::kEmulated ? " (emulated)" : "");
  }
  for (const Word& each : kWords) {
    if (each.kind == decision.kind) return each.word;
  }
  return {};
}

std::string decided_by(const policy::Policy& policy, const policy::SiteKey& site, const policy::Decision& decision) {
  if (decision.rule >= 0) return "sites[" + std::to_string(decision.rule) + "]";
  if (decision.rule == policy::kFromOpChange) {
    const std::string overload = site.op + "." + (site.overload.empty() ? "default" : site.overload);
    return "ops[\"" + (policy.ops.contains(overload) ? overload : site.op) + "\"]";
  }
  return decision.block >= 0 ? "the model's own block" : policy::name(policy.base);
}

std::vector<std::pair<std::string, std::string>> words_of(const policy::Resolved& resolved) {
  std::vector<std::pair<std::string, std::string>> words;
  const auto occurs = [&resolved](const char* word) {
    const auto says = [word](const policy::Decision& decision) {
      return decision.kind != Kind::kFormat && decision_text(decision) == word;
    };
    return std::any_of(resolved.sites.begin(), resolved.sites.end(), says);
  };
  for (const Word& each : kWords) {
    if (*each.meaning != '\0' && occurs(each.word)) words.emplace_back(each.word, each.meaning);
  }
  const auto emulated = [](const policy::Decision& decision) {
    return decision.kind == Kind::kFormat && decision.execution == policy::Execution::kEmulated;
  };
  const bool any = std::any_of(resolved.sites.begin(), resolved.sites.end(), emulated) ||
                   std::any_of(resolved.calls.begin(), resolved.calls.end(),
                               [&](const auto& call) { return emulated(call.second); });
  if (any) words.emplace_back("(emulated)", "computes in float32 and rounds to the format; no time of it is a speed");
  return words;
}

}  // namespace binade::host
