// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/wire/model_info.h"

#include <QString>

#include <vector>

namespace binade::app {

/// The name of a policy; without one, that of its base list.
QString titleOf(const policy::Policy& policy);
/// The number of its changes against the base list.
int changeCount(const policy::Policy& policy);

/// An edit of a policy in a few words.
struct PolicyChange {
  QString title;         ///< `fc/aten::linear#0`, `layer4: 3 × aten::conv2d`, `base list cuda-amp`
  QString format;        ///< that it gives to op calls; empty: none, or several
  bool matches = true;   ///< false: a new rule or op change is for no op call of the model, so it does nothing
  bool removes = false;  ///< it only removes rules or op changes
};

/// Describes the change from one policy to another. Without `sites` every rule counts as one that matches.
PolicyChange policyChange(const policy::Policy& before, const policy::Policy& after,
                          const std::vector<wire::SiteInfo>& sites);

/// Describes a policy by its base list and the number of its changes: `base list cuda-amp`, `base list cuda-amp with 3
/// changes`. `format` is its low format, or float32 for the list that has none.
PolicyChange policyStart(const policy::Policy& policy);

}  // namespace binade::app
