// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy_tools/model_calls.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace binade::policy_tools {

/// Number of kinds of devices that policies are compared for: CPUs with and without fast formats of 16 bits, GPUs, and
/// a device that is unknown.
inline constexpr std::size_t kDevices = 4;

/// What a policy means for one op call on each kind of device.
using Effect = std::array<policy::Decision, kDevices>;

/// Tables of one policy, one for each kind of device.
using Tables = std::array<policy::Resolved, kDevices>;

Tables resolve_everywhere(const policy::Policy& policy, const ModelCalls& model);

/// The effect of a site rule on any op call that it matches. Only base, low format, execution and behaviour of `policy`
/// count.
Effect effect_of(const policy::SiteRule& rule, const policy::Policy& policy);

/// Whether an op call runs the same under two effects. `guarded`: see ModelCalls. Another origin of an equal decision
/// does not count, except between the base list and a rule where the engine treats the two differently.
bool same_effect(const Effect& a, const Effect& b, bool guarded);

/// An op call that two policies treat differently, or another part of their tables that differs.
struct Deviation {
  std::optional<std::size_t> site;  ///< index in ModelCalls::keys; empty for what concerns no single op call
  std::optional<int> call;          ///< only this execution
  std::string what;                 ///< `fc1/aten::linear#0, call 2`, `aten::mm inside composite ops`
};

/// All deviations of two policies on a model, op call by op call, single calls included, on every kind of device, and
/// in the lists and op changes that apply inside composite ops. Both policies are resolved anew. An op change counts
/// inside composite ops unless none of the model's ops can call its op.
std::vector<Deviation> deviations(const policy::Policy& a, const policy::Policy& b, const ModelCalls& model);

/// Whether deviations() finds none.
bool equal_tables(const policy::Policy& a, const policy::Policy& b, const ModelCalls& model);

}  // namespace binade::policy_tools
