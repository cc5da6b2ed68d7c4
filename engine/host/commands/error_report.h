// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

namespace binade::host {

/// Prints an error of a command to standard error, and with `json` also as an object to standard output. The one place
/// where an error of the engine becomes text. Returns the exit code.
int report(const Error& error, bool json);

}  // namespace binade::host
