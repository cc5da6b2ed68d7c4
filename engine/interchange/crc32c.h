// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace binade::interchange {

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4).
std::uint32_t crc32c(std::string_view bytes);

/// The checksum as TFRecord stores it: rotated, so that a checksum of data with checksums inside stays meaningful.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace binade::interchange
