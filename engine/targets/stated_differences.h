// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <cstddef>
#include <functional>
#include <string>

namespace binade::targets {

/// Adds a kInexpressible finding for each op call that `stated`, the policy that a file states, treats otherwise than
/// the assignment: the reason for its op call, and both treatments. The formats of products are the reason themselves
/// where `stated` has none.
void declare_differences(const Assignment& assignment, const policy::Policy& stated,
                         const std::function<std::string(std::size_t site)>& reason, Findings& findings);

}  // namespace binade::targets
