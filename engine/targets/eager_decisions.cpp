// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/eager_decisions.h"

#include "engine/policy/decide.h"

namespace binade::targets {

namespace {

using policy::Decision;

/// Changes the decision to one that a dtype implements. Returns a description of the change, or an empty string.
std::string to_dtype(Decision& decision, const std::string& where) {
  if (decision.kind != Decision::Kind::kFormat && decision.kind != Decision::Kind::kPromote) return {};
  const std::string format = formats::name(decision.format);
  std::string change;
  if (!policy::has_dtype(decision.format)) {
    change = format + " is not a dtype that " + where + " computes in: these calls run in float32";
    decision.format = formats::kFloat32;
  } else if (decision.backward != decision.format) {
    change = "gradients in " + formats::name(decision.backward) + " beside values in " + format +
             " need rounding that " + where + " does not have: gradients are in " + format;
  } else if (decision.overflow == formats::Overflow::kSaturate) {
    change = format + " does not saturate in " + where + ": what overflows becomes infinite";
  }
  decision.backward = decision.format;
  decision.overflow = formats::default_overflow(decision.format);
  return change;
}

}  // namespace

formats::Format nearest_dtype(const formats::Format& format) {
  return policy::has_dtype(format) ? format : formats::kFloat32;
}

std::string treatment_word(const Decision& decision) {
  switch (decision.kind) {
    case Decision::Kind::kFormat:
      return formats::name(decision.format);
    case Decision::Kind::kPromote:
      return "promote";
    case Decision::Kind::kFollow:
      return "follow";
    case Decision::Kind::kSetDtype:
      return "set-dtype";
    case Decision::Kind::kAppendDtype:
      return "append-dtype";
    case Decision::Kind::kBanned:
      return "banned";
    case Decision::Kind::kLeave:
      break;
  }
  return "leave";
}

std::vector<Decision> eager_decisions(const Assignment& assignment, const std::string& where, Findings& findings) {
  constexpr auto kInexpressible = Finding::Kind::kInexpressible;
  std::vector<Decision> decisions = assignment.table.sites;
  for (const auto& [place, decision] : assignment.table.calls) {
    const auto [site, call] = place;
    const auto index = static_cast<std::size_t>(site);
    const std::string name = assignment.keys[index].name();
    const bool repeats = assignment.places.empty() || assignment.places[index].repeats;
    if (!repeats && call == 0) {
      decisions[index] = decision;
    } else if (repeats) {
      findings.add(kInexpressible, "a rule for a single call in a loop: every call follows the rule for the others",
                   name);
    }
  }
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const std::string change = to_dtype(decisions[i], where);
    if (!change.empty()) findings.add(kInexpressible, change, assignment.keys[i].name());
  }
  return decisions;
}

}  // namespace binade::targets
