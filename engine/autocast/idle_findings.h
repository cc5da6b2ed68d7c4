// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <span>
#include <vector>

namespace binade::autocast {

/// Whether a format that a person asks for decides what an op computes in. Not of a view, of an op that writes an
/// argument (it computes in the dtype of that), nor of one without data and weights.
bool takes_a_format(const graph::OpTraits& op);

/// Site rules and op changes that give no op call a format, because none that they decide takes one: a warning each.
/// Those for views alone are policy::resolve()'s to tell. `resolved` is for these sites, and specialised.
std::vector<policy::Finding> idle_findings(const policy::Policy& policy, const policy::Resolved& resolved,
                                           std::span<const graph::Site* const> sites);

}  // namespace binade::autocast
