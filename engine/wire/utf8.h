// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace binade::wire {

/// Whether `text` is well-formed UTF-8: no cut or overlong sequence, no surrogate, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

/// `text` with U+FFFD in place of every byte that is not part of well-formed UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace binade::wire
