// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/typed_text.h"

#include "engine/formats/printable.h"

namespace binade::numbers {

std::string shown(std::string_view text) {
  constexpr std::size_t kMostShown = 40;  // bytes
  const std::string_view kept = formats::beginning(text, kMostShown);
  return '"' + formats::printable(kept) + (kept.size() < text.size() ? "…\"" : "\"");
}

std::string_view first_character(std::string_view text) {
  std::size_t end = text.empty() ? 0 : 1;
  while (end < text.size() && formats::continues_character(text[end])) ++end;
  return text.substr(0, end);
}

bool is_space(char character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

int hex_digit(char character) {
  if (is_digit(character)) return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  if (character >= 'A' && character <= 'F') return character - 'A' + 10;
  return -1;
}

}  // namespace binade::numbers
