// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/shell_word.h"

#include <algorithm>
#include <string_view>

namespace binade::formats {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "_-./:=,+@%";
  const auto is_plain = [kPlain](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
           kPlain.find(each) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char each : word) quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return quoted + "'";
}

}  // namespace binade::formats
