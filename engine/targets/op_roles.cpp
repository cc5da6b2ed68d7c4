// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/op_roles.h"

#include "engine/policy/finding_text.h"
#include "engine/targets/stated_differences.h"

#include <algorithm>
#include <array>
#include <set>

namespace binade::targets {

namespace {

using policy::Decision;

bool is_half(const formats::Format& format) {
  return format == formats::kFloat16 || format == formats::kBFloat16;
}

/// The role nearest to a decision.
OpRole role_for(const Decision& decision) {
  switch (decision.kind) {
    case Decision::Kind::kFormat:
      return decision.format == formats::kFloat32 || decision.format == formats::kTFloat32 ? OpRole::kFloat32
                                                                                           : OpRole::kLow;
    case Decision::Kind::kPromote:
      return OpRole::kPromote;
    case Decision::Kind::kSetDtype:
    case Decision::Kind::kAppendDtype:
    case Decision::Kind::kBanned:
      return OpRole::kFloat32;
    default:
      return OpRole::kFollow;
  }
}

}  // namespace

formats::Format low_for_lists(const Assignment& assignment) {
  if (is_half(assignment.policy.low)) return assignment.policy.low;
  std::ptrdiff_t balance = 0;
  for (const Decision& decision : assignment.table.sites) {
    if (decision.kind != Decision::Kind::kFormat) continue;
    balance += decision.format == formats::kFloat16 ? 1 : 0;
    balance -= decision.format == formats::kBFloat16 ? 1 : 0;
  }
  return balance > 0 ? formats::kFloat16 : formats::kBFloat16;
}

std::map<std::string, OpRole> wanted_roles(const Assignment& assignment, const NamesOfOp& names) {
  constexpr std::array kByPrecision{OpRole::kFloat32, OpRole::kPromote, OpRole::kFollow, OpRole::kLow};
  std::map<std::string, std::map<OpRole, std::size_t>> votes;
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    if (assignment.is_view(i)) continue;
    const OpRole role = role_for(assignment.table.sites[i]);
    for (const std::string& name : names(assignment.keys[i].op)) ++votes[name][role];
  }
  std::map<std::string, OpRole> wanted;
  for (auto& [name, counts] : votes) {
    OpRole best = kByPrecision.front();
    for (const OpRole role : kByPrecision) {
      if (counts[role] > counts[best]) best = role;
    }
    wanted[name] = best;
  }
  return wanted;
}

std::size_t other_roles(const Assignment& assignment, const NamesOfOp& names, const RoleOfName& role) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    const std::vector<std::string> named = names(assignment.keys[i].op);
    if (!named.empty() && !assignment.is_view(i) && role(named.front()) != role_for(assignment.table.sites[i])) ++count;
  }
  return count;
}

policy::Policy policy_of_roles(const Assignment& model, formats::Format low, const NamesOfOp& names,
                               const RoleOfName& role) {
  policy::Policy stated;
  stated.base = policy::Base::kAllFloat32;
  stated.low = low;
  for (const policy::SiteKey& key : model.keys) {
    const std::vector<std::string> named = names(key.op);
    if (named.empty()) continue;
    switch (role(named.front())) {
      case OpRole::kLow:
        stated.ops[key.op] = policy::Treatment::kLow;
        break;
      case OpRole::kFloat32:
        stated.ops[key.op] = formats::kFloat32;
        break;
      case OpRole::kPromote:
        stated.ops[key.op] = policy::Treatment::kPromote;
        break;
      case OpRole::kFollow:
        break;  // as the base list does
    }
  }
  return stated;
}

void note_base(const Assignment& assignment, Findings& findings) {
  const policy::Base base = assignment.policy.base;
  if (base == policy::Base::kAllFloat32) return;
  findings.add(Finding::Kind::kNote, "the file does not name the base list " + policy::name(base) +
                                         ": it is read back as all-float32 with a change of each op, which treats the "
                                         "op calls of this model alike");
}

void declare_roles(const Assignment& assignment, const policy::Policy& stated, const NamesOfOp& names,
                   const std::string& program, Findings& findings) {
  note_base(assignment, findings);
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    if (assignment.is_view(i) || !names(assignment.keys[i].op).empty() ||
        role_for(assignment.table.sites[i]) != OpRole::kFollow)
      continue;
    findings.add(Finding::Kind::kNote, program + " has no name for these ops, which follow their arguments here",
                 assignment.keys[i].name());
  }
  const auto reason = [&](std::size_t site) {
    const std::string& op = assignment.keys[site].op;
    const std::vector<std::string> named = names(op);
    if (named.empty()) return program + " has no name for " + op;
    return program + " treats all calls of " + named.front() + " alike, in float32, " + formats::name(stated.low) +
           " or the format of the arguments";
  };
  declare_differences(assignment, stated, reason, findings);
}

void note_unused(const std::vector<std::string>& listed, const Assignment& model, const NamesOfOp& names,
                 Findings& findings) {
  std::set<std::string> used;
  for (const policy::SiteKey& key : model.keys) {
    for (std::string& name : names(key.op)) used.insert(std::move(name));
  }
  std::vector<std::string> unused;
  for (const std::string& name : listed) {
    if (used.insert(name).second) unused.push_back(name);
  }
  if (unused.empty()) return;
  findings.add(Finding::Kind::kNote,
               "listed ops that the model does not call were left out: " + policy::first_of(unused));
}

}  // namespace binade::targets
