// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>

namespace binade::host {

/// The run that a file describes, the demo's where `run` is empty; with the policy of another file where `policy` names
/// one. Throws Error where a file cannot be read or names ops that there are not.
wire::RunConfig read_run(const std::string& run, const std::string& policy = {});

}  // namespace binade::host
