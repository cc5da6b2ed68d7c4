// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/decision_text.h"
#include "engine/host/named_policy.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::host {

/// An op call, or one call of it in a loop, that two policies run otherwise.
struct SiteDifference {
  policy::SiteKey site;
  std::optional<int> call;
  policy::Decision first;
  policy::Decision second;
  std::string first_by;  ///< which part of the policy decided; see decided_by()
  std::string second_by;
  bool inside = false;  ///< see policy::SitePlace

  std::string first_text() const { return decision_text(first, inside); }
  std::string second_text() const { return decision_text(second, inside); }
  /// `fc1/aten::linear#0`, or `..., call 2`
  std::string name() const { return site.name() + (call ? ", call " + std::to_string(*call) : ""); }
};

/// The one kernel to which an op hands its arguments, under another name, which lists and op changes may name too;
/// nothing for an op that is made of more.
std::optional<std::string> kernel_of(const std::string& op);

/// All of a model's, in its order. An op that follows its arguments runs as one that is left alone.
std::vector<SiteDifference> site_differences(const ModelSites& model, const policy::Policy& first,
                                             const policy::Policy& second);

}  // namespace binade::host
