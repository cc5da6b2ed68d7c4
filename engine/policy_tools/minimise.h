// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy_tools/generalise.h"
#include "engine/policy_tools/model_calls.h"

#include <string>
#include <vector>

namespace binade::policy_tools {

/// A rule or op change that was left out.
struct Dropped {
  std::string what;  ///< `sites[3] (fc1/aten::linear#0): float32`, `ops["aten::gelu"]: float32`
  std::string why;   ///< `later rules decide all its op calls: sites[5]`

  friend bool operator==(const Dropped&, const Dropped&) = default;
};

struct Minimised {
  policy::Policy policy;
  std::vector<Dropped> dropped;
  std::vector<Generalised::Pattern> patterns;  ///< that replace several rules; indices refer to the policy given
};

/// A policy with fewer rules and op changes and the same table for `model`, single calls and the op changes inside
/// composite ops included, on every kind of device. The table is compared anew before it returns; throws
/// Error{kInternal} if it differs.
///
/// The fewest possible would be a set cover, which takes exponential time. Guaranteed instead: no rule and no op change
/// of the result can be left out, no pattern that generalise() tries replaces two or more of its rules, and applied to
/// its own result the function changes nothing. A rule that matches nothing in the model is left out, unless it is for
/// the loss of a run.
Minimised minimise(const policy::Policy& policy, const ModelCalls& model);

}  // namespace binade::policy_tools
