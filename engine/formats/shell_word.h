// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::formats {

/// A word of a POSIX shell's command: in single quotes unless it consists of characters without a meaning there.
std::string shell_word(const std::string& word);

}  // namespace binade::formats
