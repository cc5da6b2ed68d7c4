// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/decision_text.h"

#include "engine/policy/finding_text.h"

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
    {Kind::kFollow, "follow",
     "computes in what its arguments are; where they disagree, in the widest of them, or in the one that it writes"},
    {Kind::kSetDtype, "float32 result",
     "arguments stay; the op is told to give float32, unless the model says a dtype"},
    {Kind::kAppendDtype, "float32 result", ""},
    {Kind::kBanned, "banned", "refuses to run"},
    {Kind::kLeave, "as it comes", "nothing is done to its arguments: a view, or a policy that casts nothing"},
};

constexpr const char* kInside = "inside";

}  // namespace

bool is_inside(const policy::Decision& decision, bool inside) {
  return inside && decision.kind == Kind::kFollow && decision.rule == policy::kFromBase;
}

std::string decision_text(const policy::Decision& decision, bool inside) {
  if (is_inside(decision, inside)) return kInside;
  if (decision.kind == Kind::kFormat) {
    return policy::format_text(decision) + (decision.execution == policy::Execution::kEmulated ? " (emulated)" : "");
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

std::vector<std::pair<std::string, std::string>> words_of(const policy::Resolved& resolved,
                                                          const std::vector<policy::SitePlace>& places) {
  std::vector<std::pair<std::string, std::string>> words;
  const auto occurs = [&](std::string_view word) {
    for (std::size_t i = 0; i < resolved.sites.size(); ++i) {
      const policy::Decision& decision = resolved.sites[i];
      if (decision.kind != Kind::kFormat && decision_text(decision, places[i].inside) == word) return true;
    }
    return false;
  };
  for (const Word& each : kWords) {
    if (*each.meaning != '\0' && occurs(each.word)) words.emplace_back(each.word, each.meaning);
  }
  if (occurs(kInside)) words.emplace_back(kInside, "made of other ops, each of which goes by the list and by \"ops\"");
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
