// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <set>
#include <string>
#include <vector>

namespace binade::policy_tools {

/// How a person would write what several op calls have in common, the plainest form first.
enum class Form {
  kOpChange,      ///< an entry of `ops`
  kModule,        ///< `encoder.layers.0`: a whole subtree
  kModules,       ///< `layer*.conv1`: subtrees that differ in an index
  kCall,          ///< `encoder.layers.*/aten::linear#0`: op calls of modules that differ in an index
  kCallsOfOp,     ///< `encoder.*/aten::linear#*`: the calls of an op in a subtree
  kCallsOfModel,  ///< `*/aten::linear#*`
  kEverything     ///< `*`
};

/// A match that a site rule may have.
struct PatternText {
  Form form = Form::kCall;
  std::string match;

  friend auto operator<=>(const PatternText&, const PatternText&) = default;
};

/// Adds all patterns that are tried for the op call `site` and others like it. All of them match it.
void add_patterns_of(const policy::SiteKey& site, std::set<PatternText>& patterns);

}  // namespace binade::policy_tools
