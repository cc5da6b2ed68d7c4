// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/messages.h"

#include <map>
#include <string>

namespace binade::host {

/// What an engine says of itself. `device` is where runs train that do not ask for another; run.started names each
/// run's own.
wire::Welcome welcome();

/// The facts that a run file keeps about machine and program.
std::map<std::string, std::string> environment();

}  // namespace binade::host
