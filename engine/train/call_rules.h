// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::train {

/// Rules of the policy in force for a single call that no forward from step `first` to step `last` came to, because the
/// loop around it did not run that often: one sentence each, with how often it did. Counted by the training's autocast
/// since its count_calls(). Op calls in no loop are left out: policy::call_findings() speaks of those beforehand.
std::vector<std::string> calls_that_did_not_come(const Training& training, std::int64_t first, std::int64_t last);

}  // namespace binade::train
