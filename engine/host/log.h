// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace binade::host {

/// One line on standard error: `warning: text`. Any thread.
void log(std::string_view level, std::string_view text);

}  // namespace binade::host
