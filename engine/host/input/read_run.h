// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>

namespace binade::host {

/// Returns the run that a file describes, or the demo if `run` is empty. `policy`, if given, replaces its policy.
/// Throws Error if a file cannot be read or names unknown ops.
wire::RunConfig read_run(const std::string& run, const std::string& policy = {});

}  // namespace binade::host
