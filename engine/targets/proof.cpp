// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/proof.h"

#include "engine/policy/inner_reach.h"
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

/// Whether two scalers do the same. A scaler that is off has no settings, and a fixed one has only its scale. Ids
/// belong to one run.
bool same_scaler(wire::ScalerConfig a, const wire::ScalerConfig& b) {
  if (!a.enabled && !b.enabled) return true;
  if (a.fixed && b.fixed) return a.enabled == b.enabled && a.init_scale == b.init_scale;
  a.id = b.id;
  return a == b;
}

/// The low format has two names.
policy::OpChange with_format(const policy::OpChange& change, const formats::Format& low) {
  return change == policy::OpChange(policy::Treatment::kLow) ? policy::OpChange(low) : change;
}

/// Keys of the op changes that a text does not repeat. All op calls of the model may be treated as the policy says all
/// the same, by rules of their own.
std::vector<std::string> not_repeated(const policy::Policy& wanted, const policy::Policy& stated) {
  std::vector<std::string> keys;
  for (const auto& [key, change] : wanted.ops) {
    const auto found = stated.ops.find(key);
    const bool same =
        found != stated.ops.end() && with_format(found->second, stated.low) == with_format(change, wanted.low);
    if (!same) keys.push_back(key);
  }
  return keys;
}

}  // namespace

bool same_treatment(const Decision& a, const Decision& b) {
  if (without_leave(a.kind) != without_leave(b.kind)) return false;
  if (a.kind == Decision::Kind::kPromote) return a.format == b.format;
  if (a.kind != Decision::Kind::kFormat) return true;
  return a.format == b.format && a.backward == b.backward && a.overflow == b.overflow && a.products == b.products;
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
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    if (assignment.is_view(i)) continue;
    compare(i, "", assignment.table.sites[i], table.sites[i]);
  }

  std::set<std::pair<int, int>> calls;  // in either table
  for (const auto& [call, decision] : assignment.table.calls) calls.insert(call);
  for (const auto& [call, decision] : table.calls) calls.insert(call);
  for (const auto& [site, call] : calls) {
    if (assignment.is_view(static_cast<std::size_t>(site))) continue;
    compare(static_cast<std::size_t>(site), ", call " + std::to_string(call), assignment.table.decision_for(site, call),
            table.decision_for(site, call));
  }
  for (std::string& key : not_repeated(assignment.policy, read.policy)) {
    if (policy::op_change_reaches_inside(key, assignment.keys, assignment.places, assignment.table)) {
      proof.lost_inside.push_back(std::move(key));
    }
  }
  if (assignment.scaler && read.scaler) proof.scaler_equal = same_scaler(*assignment.scaler, *read.scaler);
  return proof;
}

}  // namespace binade::targets
