// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace binade::formats {

/// The SHA-256 of bytes that come in parts (FIPS 180-4).
class Sha256 {
 public:
  void add(std::span<const std::uint8_t> bytes);
  /// The hash as 64 hexadecimal digits. Ends the computation.
  std::string finish();

 private:
  void block(const std::uint8_t* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> part_{};
  std::size_t filled_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace binade::formats
