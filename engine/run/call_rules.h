// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::run {

/// Returns a sentence for each rule for a single call that no forward reached from step `first` to `last`, because its
/// loop ran fewer iterations; it states how many there were. Counted by the training's Autocast since count_calls(). Op
/// calls outside of loops are left out, since policy::resolve() reports them beforehand.
std::vector<std::string> calls_that_did_not_come(const train::Training& training, std::int64_t first,
                                                 std::int64_t last);

}  // namespace binade::run
