// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/crc32c.h"

#include <array>

namespace binade::interchange {

namespace {

constexpr std::uint32_t kReversedPolynomial = 0x82f63b78u;
constexpr std::uint32_t kMaskDelta = 0xa282ead8u;  // of TFRecord

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? kReversedPolynomial : 0);
    table[byte] = value;
  }
  return table;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr auto kTable = crc_table();
  std::uint32_t value = ~0u;
  for (const char each : bytes) value = (value >> 8) ^ kTable[(value ^ static_cast<unsigned char>(each)) & 0xff];
  return ~value;
}

std::uint32_t masked_crc32c(std::string_view bytes) {
  const std::uint32_t value = crc32c(bytes);
  return ((value >> 15) | (value << 17)) + kMaskDelta;
}

}  // namespace binade::interchange
