// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exporters/finding.h"
#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <memory>
#include <vector>

namespace binade::exporters {

/// The nearest table that casts to dtypes alone can carry out. What had to change is added to `findings`: formats that
/// no dtype holds, emulation, saturation, gradients of a format of their own, rules for single calls in a loop.
std::shared_ptr<const policy::Resolved> expressible(const policy::Resolved& resolved,
                                                    const std::vector<std::unique_ptr<graph::Site>>& sites,
                                                    Findings& findings);

}  // namespace binade::exporters
