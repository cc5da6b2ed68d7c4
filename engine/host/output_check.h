// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::host {

/// Hands on what standard output still holds. Why it did not take all that was printed since the program began, as the
/// system says it: `No space left on device`; empty where it did. At the end of the program.
std::string output_failure();

}  // namespace binade::host
