// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <span>

namespace binade::autocast {

/// Adapts one decision of `resolved` to its op, as resolve_executions() does for every site.
void fit(const policy::Resolved& resolved, policy::Decision& decision, const graph::OpTraits& op);

/// Adapts a resolved policy to its sites: a view keeps its input's format; only matrix ops are emulated, while other
/// ops of a low format run natively in its dtype; formats without a dtype are emulated everywhere, around an LSTM and
/// similar ops as a whole. Afterwards every decision states what will happen, with one exception: an op that writes an
/// argument computes in its dtype even if a rule sets a format (see unused_findings()). `sites[i]->id` must be i.
void resolve_executions(policy::Resolved& resolved, std::span<const graph::Site* const> sites);

/// Position and nature of a site for resolve(). It is `inside` if it calls ops that lists may name.
policy::SitePlace place_of(const graph::Site& site);

/// The table of `policy` for these sites, adapted to them and with all findings. `sites[i]->id` must be i.
policy::Resolved resolve_for(const policy::Policy& policy, std::span<const graph::Site* const> sites,
                             const policy::Capabilities& capabilities);

}  // namespace binade::autocast
