// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <cstddef>
#include <string>
#include <vector>

namespace binade::policy_tools {

/// A rule with its place in the policy that a person gave: `sites[3] (fc1/aten::linear#0, call 2): float32`. A rule
/// that a tool made has no place there (`origin` is kMade) and is named by its match: `layer*.conv1: float32`.
std::string rule_words(const policy::SiteRule& rule, int origin);
inline constexpr int kMade = -1;

/// `ops["aten::gelu"]: float32`
std::string op_words(const std::string& key, const policy::OpChange& change);

/// The distinct texts that are not empty, in order, separated by semicolons.
std::string joined_reasons(const std::vector<std::string>& reasons);

}  // namespace binade::policy_tools
