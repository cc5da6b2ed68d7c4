// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/comparison.h"

#include <vector>

namespace binade::wire {

/// Whether the site greatly enlarges a small error of its arguments: nearly equal numbers cancel, or the op is steep
/// there. The error has to grow by a factor of 8 or more, to 0.01 or more; below that, any 16-bit format adds as much.
bool enlarges(const SiteDifference& site);

/// Error attributed to a site: the largest of its own error, what that becomes on the way to the loss, and what its
/// backward adds. For a site that enlarges errors, at least the enlarged error.
double weight(const SiteDifference& site);

/// Sites with a weight above 0, in descending order; equal ones keep their order.
std::vector<SiteDifference> ranked(const std::vector<SiteDifference>& sites);

/// Whether the reference run is not in float32 somewhere: precision lost there is lost in both runs.
bool not_float32(const Float32Comparison& comparison);

/// The site whose own error grows most and is largest at `site`; null if there is none. Points into `sites`.
const SiteDifference* origin_of(const std::vector<SiteDifference>& sites, int site);

}  // namespace binade::wire
