// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <span>
#include <vector>

namespace binade::autocast {

/// What a person should know of op calls that a traced model has in the place of those of its scripted twin, where a
/// list of PyTorch names the twin's and not these: PyTorch leaves them alone, and so do we. `sites[i]->id` must be i.
std::vector<policy::Finding> traced_findings(const policy::Resolved& resolved,
                                             std::span<const graph::Site* const> sites);

}  // namespace binade::autocast
