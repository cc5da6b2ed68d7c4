// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/nesting.h"

namespace binade::wire {

bool is_too_deep(std::string_view text) {
  std::size_t levels = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    if (quoted) {
      if (each == '\\') ++i;
      if (each == '"') quoted = false;
    } else if (each == '"') {
      quoted = true;
    } else if (each == '[' || each == '{') {
      if (++levels > kDeepestText) return true;
    } else if ((each == ']' || each == '}') && levels > 0) {
      --levels;
    }
  }
  return false;
}

}  // namespace binade::wire
