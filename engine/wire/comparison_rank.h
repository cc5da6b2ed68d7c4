// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/comparison.h"

#include <vector>

namespace binade::wire {

/// Whether the site makes a large error of a small one that it was given: nearly equal numbers cancel in it, or it is
/// steep there. Three doublings, to a hundredth or more: below, every format of 16 bits adds as much.
bool enlarges(const SiteDifference& site);

/// What a site is to be blamed for: what its own error becomes on the way to the loss, or what its backward adds; of a
/// site that enlarges errors, what it makes of them.
double weight(const SiteDifference& site);

/// Sites by their weight, the worst first; those without any are left out. Of equal ones the earlier first.
std::vector<SiteDifference> ranked(const std::vector<SiteDifference>& sites);

/// Whether the run in float32 is none somewhere: what is lost there is lost in both runs.
bool not_float32(const Float32Comparison& comparison);

/// The site whose own error grows most to become that of `site`; null: none does.
const SiteDifference* origin_of(const std::vector<SiteDifference>& sites, int site);

}  // namespace binade::wire
