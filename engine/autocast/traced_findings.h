// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <span>
#include <vector>

namespace binade::autocast {

/// Notes on op calls of a traced model whose scripted counterparts have another op: if a list of PyTorch names only
/// that other op, these calls stay uncast, as in PyTorch. `sites[i]->id` must be i.
std::vector<policy::Finding> traced_findings(const policy::Resolved& resolved,
                                             std::span<const graph::Site* const> sites);

}  // namespace binade::autocast
