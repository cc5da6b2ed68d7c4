// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <string>
#include <vector>

namespace binade::targets {

// What is to be said of a policy when it is exported for a model, whatever the target.

/// Throws Error{kBadPolicy} if the policy has site rules for a model and none matches one of these op calls: it was
/// made for another model. `policy` is its name in messages.
void refuse_foreign_policy(const Assignment& assignment, const std::string& policy);

/// Findings of the table on the model's op calls, as notes and warnings. Those on rules for a loss are left out: see
/// left_out().
std::vector<Finding> notes_of(const policy::Policy& policy, const policy::Resolved& table);

/// Rules that a file for a model cannot hold because they match a loss, which belongs to a run.
std::vector<std::string> left_out(const policy::Policy& policy, const policy::Resolved& table);

}  // namespace binade::targets
