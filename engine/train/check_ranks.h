// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>

namespace binade::train {

/// Throws Error{kBadRun} at `batch` unless each of `ranks` ranks receives an example of every batch. `source` begins
/// the message.
void check_ranks(const wire::RunConfig& config, const std::string& source, int ranks);

}  // namespace binade::train
