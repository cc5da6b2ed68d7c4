// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>

namespace binade::host {

/// Returns the run that a file describes, or the demo if `run` is empty. `policy`, if given, replaces its policy.
/// Throws Error if a file cannot be read or names unknown ops.
wire::RunConfig read_run(const std::string& run, const std::string& policy = {});

/// Throws Error{kBadFile} at `model` if the run's model is a file that does not exist. `run`: its description.
void check_model_file(const wire::RunConfig& config, const std::string& run);

}  // namespace binade::host
