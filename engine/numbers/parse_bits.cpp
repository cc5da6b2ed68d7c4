// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/parse_number.h"
#include "engine/numbers/typed_text.h"

#include <cstdint>

namespace binade::numbers {

namespace {

std::string forms_of(const formats::Format& format) {
  return "Type " + std::to_string(width(format)) + " digits 0 and 1, or 0x and at most " +
         std::to_string((width(format) + 3) / 4) + " hexadecimal digits.";
}

std::string bits_of(const formats::Format& format) {
  return formats::name(format) + " has " + std::to_string(width(format)) + " bits";
}

std::variant<Number, NotANumber> parse_hexadecimal(std::string_view digits, const formats::Format& format) {
  if (digits.empty()) return NotANumber{"\"0x\" has no hexadecimal digits behind it.", forms_of(format)};
  std::uint32_t bits = 0;
  bool fits = true;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int digit = hex_digit(digits[i]);
    if (digit < 0) {
      return NotANumber{shown(first_character(digits.substr(i))) + " is no hexadecimal digit.", forms_of(format)};
    }
    fits = fits && bits >> 28 == 0;
    bits = bits << 4 | static_cast<std::uint32_t>(digit);
  }
  fits = fits && bits < std::uint64_t{1} << width(format);
  if (!fits) return NotANumber{"The pattern is too long: " + bits_of(format) + ".", forms_of(format)};
  return Number{format, bits};
}

}  // namespace

std::variant<Number, NotANumber> parse_bits(std::string_view text, const formats::Format& format) {
  std::string digits;
  for (const char each : text) {
    if (!is_space(each)) digits += each;
  }
  if (digits.empty()) return NotANumber{"The text is empty.", forms_of(format)};
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    return parse_hexadecimal(std::string_view(digits).substr(2), format);
  }
  const std::size_t wrong = digits.find_first_not_of("01");
  if (wrong != std::string::npos) {
    return NotANumber{shown(first_character(std::string_view(digits).substr(wrong))) + " is no binary digit.",
                      forms_of(format)};
  }
  if (digits.size() != static_cast<std::size_t>(width(format))) {
    return NotANumber{"The pattern has " + std::to_string(digits.size()) + (digits.size() == 1 ? " bit" : " bits") +
                          ", and " + bits_of(format) + ".",
                      forms_of(format)};
  }
  std::uint32_t bits = 0;
  for (const char each : digits) bits = bits << 1 | (each == '1' ? 1u : 0u);
  return Number{format, bits};
}

}  // namespace binade::numbers
