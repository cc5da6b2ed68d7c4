// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <span>

namespace binade::autocast {

/// Fits one decision of `resolved` to what its op is, as specialise() does for every site.
void fit(const policy::Resolved& resolved, policy::Decision& decision, const graph::OpTraits& op);

/// Fits a resolved policy to what the sites are: a view keeps its input's format; only matrix ops are emulated, the
/// rest of a low format runs natively in its dtype; formats that no dtype holds are emulated everywhere, around an LSTM
/// and its like as a whole. Afterwards every decision says what will really happen, but where a person asks for the
/// format of an op that writes an argument: it computes in the dtype of that, as idle_findings() tells.
/// `sites[i]->id` must be i.
void specialise(policy::Resolved& resolved, std::span<const graph::Site* const> sites);

/// What resolve() needs to know of a site's place and nature. An op is `inside` whose parts lists may name.
policy::SitePlace place_of(const graph::Site& site);

/// The table that `policy` makes for these sites, specialised. `sites[i]->id` must be i.
policy::Resolved resolve_for(const policy::Policy& policy, std::span<const graph::Site* const> sites,
                             const policy::Capabilities& capabilities);

}  // namespace binade::autocast
