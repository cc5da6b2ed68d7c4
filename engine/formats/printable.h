// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace binade::formats {

/// A text of somebody else's for a message: control characters, which cut a message off or steer a terminal, and bytes
/// that are no UTF-8 stand as `\x1b`.
std::string printable(std::string_view text);

}  // namespace binade::formats
