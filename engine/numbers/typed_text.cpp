// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/typed_text.h"

#include "engine/formats/printable.h"

namespace binade::numbers {

namespace {

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u;
}

}  // namespace

std::string shown(std::string_view text) {
  std::size_t end = 40;
  if (text.size() <= end) return '"' + formats::printable(text) + '"';
  while (end > 0 && continues_character(text[end])) --end;
  return '"' + formats::printable(text.substr(0, end)) + "…\"";
}

std::string_view first_character(std::string_view text) {
  std::size_t end = text.empty() ? 0 : 1;
  while (end < text.size() && continues_character(text[end])) ++end;
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
