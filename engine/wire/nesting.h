// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace binade::wire {

/// Levels of lists and objects in a JSON text that Binade reads. The JSON library calls itself at each level when it
/// writes or compares values, so that a text of millions of levels would exhaust the stack.
inline constexpr std::size_t kDeepestText = 100;

/// Returns whether a JSON text has more levels. Brackets inside strings do not count. The text may be invalid.
bool is_too_deep(std::string_view text);

}  // namespace binade::wire
