// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>
#include <vector>

namespace binade::train {

/// The fields that are set but do nothing beside the others, each as a sentence: `optimizer.momentum does nothing:
/// adam has none.` A person may have meant something by them.
std::vector<std::string> idle_fields(const wire::RunConfig& config);

}  // namespace binade::train
