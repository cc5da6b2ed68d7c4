// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace binade::numbers {

/// A typed text within a message: in quotes, printable, and cut after 40 bytes.
std::string shown(std::string_view text);

/// The first character of a text in UTF-8, as its bytes; empty for an empty text.
std::string_view first_character(std::string_view text);

bool is_space(char character);
bool is_digit(char character);
/// Value of a hexadecimal digit; -1 for any other character.
int hex_digit(char character);

}  // namespace binade::numbers
