// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace binade::zip {

/// Unpacks the whole of deflated bytes into `out`. False where they are none, or make fewer or more bytes.
bool inflate_into(std::span<const std::uint8_t> packed, std::span<std::uint8_t> out);

/// The CRC-32 of ZIP, of bytes that follow those whose checksum is `before`.
std::uint32_t checksum(std::span<const std::uint8_t> bytes, std::uint32_t before = 0);

}  // namespace binade::zip
