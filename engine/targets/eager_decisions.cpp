// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/eager_decisions.h"

#include "engine/policy/decide.h"

namespace binade::targets {

namespace {

using policy::Decision;

/// Changes the decision to one that a dtype implements. Returns a description of the change, or an empty string.
std::string to_dtype(Decision& decision) {
  if (decision.kind != Decision::Kind::kFormat && decision.kind != Decision::Kind::kPromote) return {};
  const std::string format = formats::name(decision.format);
  std::string change;
  if (!decision.products.empty()) {
    change = "PyTorch has no formats of products (" + policy::products_text(decision.products) +
             "): these calls run in " + format;
    decision.products = {};
  }
  if (!policy::has_dtype(decision.format)) {
    change = format + " is not a dtype that PyTorch computes in: these calls run in float32";
    decision.format = formats::kFloat32;
  } else if (decision.backward != decision.format) {
    change = "gradients in " + formats::name(decision.backward) + " beside values in " + format +
             " need rounding that PyTorch does not have: gradients are in " + format;
  } else if (decision.overflow == formats::Overflow::kSaturate) {
    change = format + " does not saturate in PyTorch: what overflows becomes infinite";
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

EagerDecisions eager_decisions(const Assignment& assignment, Findings& findings) {
  constexpr auto kInexpressible = Finding::Kind::kInexpressible;
  EagerDecisions made;
  made.sites = assignment.table.sites;
  for (std::size_t i = 0; i < made.sites.size(); ++i) {
    const std::string change = to_dtype(made.sites[i]);
    if (!change.empty()) findings.add(kInexpressible, change, assignment.keys[i].name());
  }
  std::map<std::pair<std::string, std::string>, int> places;  // of an op in a module
  for (const policy::SiteKey& key : assignment.keys) ++places[{key.path, key.op}];
  for (auto [place, decision] : assignment.table.calls) {
    const policy::SiteKey& key = assignment.keys[static_cast<std::size_t>(place.first)];
    if (places[{key.path, key.op}] > 1) {
      findings.add(kInexpressible,
                   "a rule for a single execution, in a module that calls the op in several places: every execution "
                   "follows the rule for the others",
                   key.name());
      continue;
    }
    const std::string change = to_dtype(decision);
    if (!change.empty()) findings.add(kInexpressible, change, key.name());
    made.calls.emplace(place, decision);
  }
  return made;
}

}  // namespace binade::targets
