// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/messages.h"

#include <map>
#include <string>

namespace binade::host {

/// Returns the engine's description of itself. `device` is the default device of runs; run.started names the one used.
wire::Welcome welcome();

/// Returns the facts on machine and program that a run file keeps.
std::map<std::string, std::string> environment();

}  // namespace binade::host
