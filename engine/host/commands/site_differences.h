// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/input/named_policy.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/inner_differences.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::host {

/// An op call, or a single call of it in a loop, that two policies run differently.
struct SiteDifference {
  policy::SiteKey site;
  std::optional<int> call;
  policy::Decision first;
  policy::Decision second;
  std::string first_by;  ///< layer of the policy that decided, see decided_by()
  std::string second_by;
  bool inside = false;  ///< see policy::SitePlace
  /// The ops inside the op call that differ, where both policies leave the op call itself alone.
  std::vector<policy::InnerDifference> inner = {};

  /// `float16`, or `inside: aten::linear float32` for the first op inside that differs.
  std::string first_text() const;
  std::string second_text() const;
  /// `fc1/aten::linear#0`, or `..., call 2`.
  std::string name() const { return site.name() + (call ? ", call " + std::to_string(*call) : ""); }
};

/// Returns all differences for a model, in the order of its op calls, also those inside op calls that are made of other
/// ops. Following the arguments and being left alone count as equal.
std::vector<SiteDifference> site_differences(const ModelSites& model, const policy::Policy& first,
                                             const policy::Policy& second);

}  // namespace binade::host
