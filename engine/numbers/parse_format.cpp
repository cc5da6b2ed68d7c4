// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/parse_number.h"

namespace binade::numbers {

std::optional<formats::Format> parse_format(std::string_view text) {
  for (const formats::Format& element : {formats::kFloat4E2M1fn, formats::kFloat6E2M3fn, formats::kFloat6E3M2fn}) {
    if (text == formats::name(element)) return element;
  }
  return formats::parse(text);
}

}  // namespace binade::numbers
