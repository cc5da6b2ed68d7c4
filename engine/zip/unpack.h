// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace binade::zip {

/// Inflates raw deflate data into `out`. Returns false if the data is invalid or does not give exactly `out.size()`
/// bytes. Throws std::bad_alloc.
bool inflate_into(std::span<const std::uint8_t> packed, std::span<std::uint8_t> out);

/// CRC-32 as in ZIP; `before` is the checksum of the preceding bytes.
std::uint32_t checksum(std::span<const std::uint8_t> bytes, std::uint32_t before = 0);

}  // namespace binade::zip
