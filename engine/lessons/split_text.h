// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace binade::lessons {

/// The text without spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// The parts between spaces.
std::vector<std::string_view> words_of(std::string_view text);

/// The lines, without their ends (`\n`, `\r\n` or `\r`).
std::vector<std::string_view> lines_of(std::string_view text);

/// The parts between `separator`, trimmed.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

}  // namespace binade::lessons
