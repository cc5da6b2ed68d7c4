// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/decision_text.h"

#include "engine/policy/decide.h"
#include "engine/policy/finding_text.h"

#include <algorithm>

namespace binade::policy {

namespace {

using Kind = Decision::Kind;

struct Word {
  Kind kind;
  const char* word;
  const char* meaning;
};
constexpr Word kWords[] = {
    {Kind::kPromote, "promote", "arguments are cast to their widest dtype"},
    {Kind::kFollow, "follow",
     "computes in the dtype of its arguments; if they differ, in the widest, or in that of the tensor it writes"},
    {Kind::kSetDtype, "float32 result",
     "arguments are not cast; the op receives dtype float32 unless the model sets a dtype"},
    {Kind::kAppendDtype, "float32 result", ""},
    {Kind::kBanned, "banned", "refuses to run"},
    {Kind::kLeave, "unchanged", "arguments are not cast: a view, or a policy without casts"},
};

constexpr const char* kInside = "inside";

}  // namespace

bool is_inside(const Decision& decision, bool inside) {
  return inside && decision.kind == Kind::kFollow && decision.rule == kFromBase;
}

std::string decision_text(const Decision& decision, bool inside) {
  if (is_inside(decision, inside)) return kInside;
  if (decision.kind == Kind::kFormat) {
    return format_text(decision) + (decision.execution == Execution::kEmulated ? " (emulated)" : "");
  }
  for (const Word& each : kWords) {
    if (each.kind == decision.kind) return each.word;
  }
  return {};
}

std::string decided_by(const Policy& policy, const SiteKey& site, const Decision& decision) {
  if (decision.rule >= 0) return short_place(decision.rule);
  if (decision.rule == kFromOpChange) {
    const std::string overload = site.op + "." + (site.overload.empty() ? "default" : site.overload);
    const bool as_cudnn = !policy.ops.contains(overload) && !policy.ops.contains(site.op);
    return "ops[\"" + (as_cudnn ? std::string(kCudnnRnn) : policy.ops.contains(overload) ? overload : site.op) + "\"]";
  }
  return decision.block >= 0 ? "the model's own block" : name(policy.base);
}

std::vector<std::pair<std::string, std::string>> words_of(const Resolved& resolved,
                                                          const std::vector<SitePlace>& places) {
  std::vector<std::pair<std::string, std::string>> words;
  const auto occurs = [&](std::string_view word) {
    for (std::size_t i = 0; i < resolved.sites.size(); ++i) {
      const Decision& decision = resolved.sites[i];
      if (decision.kind != Kind::kFormat && decision_text(decision, places[i].inside) == word) return true;
    }
    return false;
  };
  for (const Word& each : kWords) {
    if (*each.meaning != '\0' && occurs(each.word)) words.emplace_back(each.word, each.meaning);
  }
  if (occurs(kInside)) words.emplace_back(kInside, "composed of other ops, each of which follows the list and \"ops\"");
  const auto emulated = [](const Decision& decision) {
    return decision.kind == Kind::kFormat && decision.execution == Execution::kEmulated;
  };
  const bool any = std::any_of(resolved.sites.begin(), resolved.sites.end(), emulated) ||
                   std::any_of(resolved.calls.begin(), resolved.calls.end(),
                               [&](const auto& call) { return emulated(call.second); });
  if (any)
    words.emplace_back("(emulated)", "computes in float32 and rounds to the format; its time does not indicate speed");
  return words;
}

}  // namespace binade::policy
