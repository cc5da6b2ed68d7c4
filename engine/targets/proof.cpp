// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/proof.h"

#include "engine/policy/resolve.h"

#include <set>
#include <utility>

namespace binade::targets {

namespace {

using policy::Decision;

Decision::Kind without_leave(Decision::Kind kind) {
  return kind == Decision::Kind::kLeave ? Decision::Kind::kFollow : kind;
}

/// The op calls that some finding says the file cannot express.
std::set<std::string> declared_in(const std::vector<Finding>& findings) {
  std::set<std::string> names;
  for (const Finding& finding : findings) {
    if (finding.kind == Finding::Kind::kInexpressible) names.insert(finding.sites.begin(), finding.sites.end());
  }
  return names;
}

/// Scalers have ids only within one run.
bool same_scaler(wire::ScalerConfig a, const wire::ScalerConfig& b) {
  a.id = b.id;
  return a == b;
}

}  // namespace

bool same_treatment(const Decision& a, const Decision& b) {
  if (without_leave(a.kind) != without_leave(b.kind)) return false;
  if (a.kind == Decision::Kind::kPromote) return a.format == b.format;
  if (a.kind != Decision::Kind::kFormat) return true;
  return a.format == b.format && a.backward == b.backward && a.overflow == b.overflow;
}

Proof prove(const Target& target, const Written& written, const Assignment& assignment) {
  const Read read = target.read(written.text, std::string(target.name) + " text", assignment);
  const policy::Resolved table =
      policy::resolve(read.policy, assignment.keys, assignment.table.capabilities, assignment.places);
  const std::set<std::string> declared = declared_in(written.findings);

  Proof proof;
  const auto compare = [&](std::size_t site, const std::string& call, const Decision& wanted, const Decision& found) {
    ++proof.op_calls;
    if (same_treatment(wanted, found)) return;
    const std::string name = assignment.keys[site].name();
    const bool known = declared.contains(name) || declared.contains(name + call);
    (known ? proof.different : proof.undeclared).push_back(name + call);
  };
  const auto is_view = [&](std::size_t site) { return !assignment.places.empty() && assignment.places[site].view; };
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    if (is_view(i)) continue;  // no rule casts it
    compare(i, "", assignment.table.sites[i], table.sites[i]);
  }

  std::set<std::pair<int, int>> calls;  // in either table
  for (const auto& [call, decision] : assignment.table.calls) calls.insert(call);
  for (const auto& [call, decision] : table.calls) calls.insert(call);
  for (const auto& [site, call] : calls) {
    if (is_view(static_cast<std::size_t>(site))) continue;
    compare(static_cast<std::size_t>(site), ", call " + std::to_string(call), assignment.table.decision_for(site, call),
            table.decision_for(site, call));
  }
  if (assignment.scaler && read.scaler) proof.scaler_equal = same_scaler(*assignment.scaler, *read.scaler);
  return proof;
}

}  // namespace binade::targets
