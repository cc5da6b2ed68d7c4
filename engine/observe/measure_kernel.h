// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The two passes over numbers in memory, without LibTorch. Each is compiled for AVX-512, AVX2 and the baseline, chosen
// when the program starts.

namespace binade::observe {

/// Where a scan or measurement adds up. A plain value; merging two is adding them.
struct Tally {
  std::uint64_t zero = 0;
  std::uint64_t positive_infinity = 0;
  std::uint64_t negative_infinity = 0;
  std::uint64_t nan = 0;
  std::uint64_t overflow = 0;
  std::uint64_t underflow = 0;
  std::uint32_t largest = 0;             ///< bits of the largest finite magnitude as float32
  std::uint32_t smallest = 0x7f800000u;  ///< bits of the smallest non-zero one
  double sum_of_squares = 0;
  std::array<std::uint32_t, 256> exponents{};  ///< finite normal values by biased exponent
  std::array<std::uint32_t, 23> subnormals{};  ///< subnormal float32 values by binade, from -149

  void add(const Tally& other);
};

/// float32 magnitudes, as bits, at which a value overflows or vanishes in the watched format.
struct Limits {
  std::uint32_t overflow;
  std::uint32_t underflow;
};

enum class Storage : std::uint8_t { kFloat32, kFloat16, kBFloat16 };

/// The largest bits(|x|) of `count` values, as float32 bits; infinities and NaN count as such. Reads memory once.
std::uint32_t largest_magnitude(const void* values, Storage storage, std::size_t count);

/// Everything about `count` values.
void measure_values(const void* values, Storage storage, std::size_t count, Limits limits, Tally& tally);

}  // namespace binade::observe
