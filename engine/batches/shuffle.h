// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace binade::batches {

/// Combines three numbers to one 64-bit seed, so that streams, epochs and batches are independent.
std::uint64_t mix(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// 0 .. count-1.
std::vector<std::int64_t> in_order(std::int64_t count);

/// 0 .. count-1 in an order that depends only on `seed`, equal on all platforms.
std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed);

}  // namespace binade::batches
