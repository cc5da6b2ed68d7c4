// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <span>
#include <vector>

namespace binade::autocast {

/// Whether a rule's format decides what an op computes in. False for views, for ops that write an argument (they
/// compute in its dtype), and for ops without data or weights.
bool takes_a_format(const graph::OpTraits& op);

/// A warning for each site rule and op change whose op calls do not take a format. Rules for views only are reported by
/// policy::resolve(). `resolved` must be adapted to these sites (resolve_executions).
std::vector<policy::Finding> unused_findings(const policy::Policy& policy, const policy::Resolved& resolved,
                                             std::span<const graph::Site* const> sites);

}  // namespace binade::autocast
