// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>
#include <vector>

namespace binade::train {

/// Returns a sentence for each field that is set but has no effect with the others: `optimizer.momentum does nothing:
/// adam has none.` It may hint at a mistake.
std::vector<std::string> unused_fields(const wire::RunConfig& config);

}  // namespace binade::train
