// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"
#include "engine/policy/resolve.h"
#include "engine/targets/finding.h"

#include <memory>
#include <vector>

namespace binade::exporters {

/// Returns the nearest table that casts to dtypes can implement. Adds a finding for each change: formats without a
/// dtype, emulation, saturation, separate gradient formats, and rules for single calls in a loop.
std::shared_ptr<const policy::Resolved> expressible(const policy::Resolved& resolved,
                                                    const std::vector<std::unique_ptr<graph::Site>>& sites,
                                                    targets::Findings& findings);

}  // namespace binade::exporters
