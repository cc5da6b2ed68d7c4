// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace binade::host {

/// Writes one line to standard error: `warning: text`. Thread-safe.
void log(std::string_view level, std::string_view text);

}  // namespace binade::host
