// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/commands/commands.h"

namespace binade::host {

/// `policy diff` of a base (`first`) and two policies made from it (`second`, `third`).
int policy_diff_of_three(const PolicyDiffOptions& options);

}  // namespace binade::host
