// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace binade::formats {

/// Escapes control characters and invalid UTF-8 as `\x1b`, so that text of a file cannot truncate a message or control
/// a terminal.
std::string printable(std::string_view text);

/// Whether a byte of a UTF-8 text is a later byte of a character.
bool continues_character(char byte);

/// The beginning of a UTF-8 text, at most `most` bytes long and without a part of a character at its end.
std::string_view beginning(std::string_view text, std::size_t most);

/// Whether `text` is well-formed UTF-8, which may contain control characters.
bool is_utf8(std::string_view text);

}  // namespace binade::formats
