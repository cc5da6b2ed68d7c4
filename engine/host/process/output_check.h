// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::host {

/// Flushes standard output. Returns why it did not take everything printed since the program started, as a system
/// message such as `No space left on device`, or an empty string. Call it at the end of the program.
std::string output_failure();

}  // namespace binade::host
