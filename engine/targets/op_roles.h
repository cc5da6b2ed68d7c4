// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace binade::targets {

// Programs with lists of op names treat all calls of an op alike. These functions translate between such lists and
// policies.

/// Treatment of an op by a program's lists.
enum class OpRole : std::uint8_t {
  kLow,      ///< its arguments are cast to the low format
  kFloat32,  ///< its arguments are cast to float32
  kFollow,   ///< it runs in the format of its arguments
  kPromote,  ///< its arguments are cast to the widest of them
};

/// The names that a program has for an op (`aten::conv2d`); empty if it has none.
using NamesOfOp = std::function<std::vector<std::string>(const std::string& op)>;

/// The role that a program gives to one of its names.
using RoleOfName = std::function<OpRole(const std::string& name)>;

/// float16 or bfloat16, whichever is the low format of the lists: the policy's own, else the one of the most op calls.
formats::Format low_for_lists(const Assignment& assignment);

/// For each name that the model needs, the role of most of its op calls; of equally many the more precise one.
std::map<std::string, OpRole> wanted_roles(const Assignment& assignment, const NamesOfOp& names);

/// Number of op calls whose role is another than the wanted one.
std::size_t other_roles(const Assignment& assignment, const NamesOfOp& names, const RoleOfName& role);

/// The policy that lists state for a model: one change for each op that has a name. Ops with several names have the
/// role of the first.
policy::Policy policy_of_roles(const Assignment& model, formats::Format low, const NamesOfOp& names,
                               const RoleOfName& role);

/// Adds a note if the policy's base list is another than the one that a text without base lists is read back with.
void note_base(const Assignment& assignment, Findings& findings);

/// Adds the findings of lists: that they do not name the base list, what they state otherwise than the assignment, and
/// ops without a name. `program` is the program's name.
void declare_roles(const Assignment& assignment, const policy::Policy& stated, const NamesOfOp& names,
                   const std::string& program, Findings& findings);

/// Adds a note on listed names that no op call of the model has.
void note_unused(const std::vector<std::string>& listed, const Assignment& model, const NamesOfOp& names,
                 Findings& findings);

}  // namespace binade::targets
