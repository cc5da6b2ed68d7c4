// SPDX-License-Identifier: Apache-2.0
#pragma once

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

  /// `fc1/aten::linear#0`, or `..., call 2`
  std::string name() const { return site.name() + (call ? ", call " + std::to_string(*call) : ""); }
};

/// All of a model's, in its order. An op that follows its arguments runs as one that is left alone.
std::vector<SiteDifference> site_differences(const ModelSites& model, const policy::Policy& first,
                                             const policy::Policy& second);

}  // namespace binade::host
