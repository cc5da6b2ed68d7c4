// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/commands/commands.h"
#include "engine/wire/run_config.h"

#include <string>
#include <vector>

namespace binade::host {

/// The command line of a rank that `launch` starts, with the name of the program.
std::vector<std::string> rank_arguments(const LaunchOptions& options);

/// The command that continues the run from a checkpoint, for a shell. It records to a new file if the one that the
/// options or `run` name exists, since a run file is never overwritten.
std::string resume_command(const LaunchOptions& options, const wire::RunConfig& run, const std::string& checkpoint);

}  // namespace binade::host
