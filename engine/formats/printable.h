// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace binade::formats {

/// Escapes control characters and invalid UTF-8 as `\x1b`, so that text of a file cannot truncate a message or control
/// a terminal.
std::string printable(std::string_view text);

/// Whether `text` is well-formed UTF-8, which may contain control characters.
bool is_utf8(std::string_view text);

}  // namespace binade::formats
