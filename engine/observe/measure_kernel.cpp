// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/measure_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define BINADE_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BINADE_CLONES
#endif

namespace binade::observe {

namespace {

constexpr std::uint32_t kMagnitude = 0x7fffffffu;
constexpr std::uint32_t kInfinity = 0x7f800000u;
constexpr std::uint32_t kSmallestNormal = 0x00800000u;
constexpr std::size_t kBlock = 2048;  // values: a block of float32 stays in the first cache
constexpr std::size_t kLanes = 16;

/// float16 bits to float32 bits, without branches so that it vectorises (round trip exact, NaN payloads kept).
inline std::uint32_t widen_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t shifted = static_cast<std::uint32_t>(bits & 0x7fffu) << 13;
  const std::uint32_t normal = shifted + (static_cast<std::uint32_t>(127 - 15) << 23);
  const std::uint32_t special = shifted | kInfinity;
  // A subnormal half is its mantissa times 2^-24, exactly.
  const std::uint32_t tiny = std::bit_cast<std::uint32_t>(static_cast<float>(bits & 0x7fff) * 0x1p-24f);
  const std::uint32_t finite = (bits & 0x7c00u) == 0 ? tiny : normal;
  return sign | ((bits & 0x7c00u) == 0x7c00u ? special : finite);
}

BINADE_CLONES std::uint32_t largest_of_words(const std::uint32_t* values, std::size_t count) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, values[i] & kMagnitude);
  return largest;
}

BINADE_CLONES std::uint16_t largest_of_halves(const std::uint16_t* values, std::size_t count) {
  std::uint16_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max<std::uint16_t>(largest, static_cast<std::uint16_t>(values[i] & 0x7fffu));
  }
  return largest;
}

BINADE_CLONES void widen_halves(const std::uint16_t* from, std::uint32_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = widen_half(from[i]);
}

BINADE_CLONES void widen_bfloats(const std::uint16_t* from, std::uint32_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint32_t>(from[i]) << 16;
}

/// What needs no branch: extremes, limits, sum of squares; in lanes, so that the order of the sum is the same whatever
/// the instruction set.
BINADE_CLONES void count_block(const std::uint32_t* bits, std::size_t count, Limits limits, Tally& tally) {
  std::uint32_t largest[kLanes] = {};
  std::uint32_t smallest[kLanes];
  std::uint32_t overflow[kLanes] = {};
  std::uint32_t underflow[kLanes] = {};
  std::uint32_t zero[kLanes] = {};
  std::uint32_t special[kLanes] = {};
  float squares[kLanes] = {};
  std::fill_n(smallest, kLanes, kInfinity);
  for (std::size_t i = 0; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t magnitude = bits[i + lane] & kMagnitude;
      const bool finite = magnitude < kInfinity;
      const std::uint32_t kept = finite ? magnitude : 0;
      largest[lane] = std::max(largest[lane], kept);
      smallest[lane] = std::min(smallest[lane], magnitude == 0 ? kInfinity : magnitude);
      overflow[lane] += finite && magnitude >= limits.overflow ? 1 : 0;
      underflow[lane] += magnitude != 0 && magnitude <= limits.underflow ? 1 : 0;
      zero[lane] += magnitude == 0 ? 1 : 0;
      special[lane] += finite ? 0 : 1;
    }
  }
  for (std::size_t i = 0; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t magnitude = bits[i + lane] & kMagnitude;
      const float value = std::bit_cast<float>(magnitude < kInfinity ? magnitude : 0u);
      squares[lane] += value * value;
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    tally.largest = std::max(tally.largest, largest[lane]);
    tally.smallest = std::min(tally.smallest, smallest[lane]);
    tally.overflow += overflow[lane];
    tally.underflow += underflow[lane];
    tally.zero += zero[lane];
    tally.nan += special[lane];  // told apart by count_specials
  }
  // float32 squares overflow for large values and vanish for small ones: such a block is summed again, in double.
  double sum = 0;
  for (const float square : squares) sum += static_cast<double>(square);
  if (!(sum < 0x1p126) || (sum < 0x1p-80 && tally.largest > 0)) {
    sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t magnitude = bits[i] & kMagnitude;
      const double value = magnitude < kInfinity ? static_cast<double>(std::bit_cast<float>(magnitude)) : 0;
      sum += value * value;
    }
  }
  tally.sum_of_squares += sum;
}

/// Infinities out of what count_block put down as NaN.
void count_specials(const std::uint32_t* bits, std::size_t count, Tally& tally) {
  for (std::size_t i = 0; i < count; ++i) {
    if ((bits[i] & kMagnitude) != kInfinity) continue;
    --tally.nan;
    ++((bits[i] >> 31) != 0 ? tally.negative_infinity : tally.positive_infinity);
  }
}

void count_exponents(const std::uint32_t* bits, std::size_t count, Tally& tally) {
  // Four tables: neighbours often share a binade, and an increment must not wait for the last one.
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) ++tables[k][(bits[i + k] >> 23) & 0xffu];
  }
  for (; i < count; ++i) ++tables[0][(bits[i] >> 23) & 0xffu];
  for (std::size_t e = 0; e < 256; ++e) tally.exponents[e] += tables[0][e] + tables[1][e] + tables[2][e] + tables[3][e];
  if (tables[0][0] + tables[1][0] + tables[2][0] + tables[3][0] == 0) return;
  for (std::size_t j = 0; j < count; ++j) {
    const std::uint32_t magnitude = bits[j] & kMagnitude;
    if (magnitude == 0 || magnitude >= kSmallestNormal) continue;
    ++tally.subnormals[static_cast<std::size_t>(std::bit_width(magnitude) - 1)];
  }
}

void measure_block(std::uint32_t* bits, std::size_t count, Limits limits, Tally& tally) {
  // Zeros fill the last lanes; they are taken out again.
  const std::size_t padded = (count + kLanes - 1) / kLanes * kLanes;
  std::fill(bits + count, bits + padded, 0u);
  const std::uint64_t special_before = tally.nan;
  count_block(bits, padded, limits, tally);
  tally.zero -= padded - count;
  if (tally.nan != special_before) count_specials(bits, count, tally);
  count_exponents(bits, count, tally);
}

}  // namespace

void Tally::add(const Tally& other) {
  zero += other.zero;
  positive_infinity += other.positive_infinity;
  negative_infinity += other.negative_infinity;
  nan += other.nan;
  overflow += other.overflow;
  underflow += other.underflow;
  largest = std::max(largest, other.largest);
  smallest = std::min(smallest, other.smallest);
  sum_of_squares += other.sum_of_squares;
  for (std::size_t i = 0; i < exponents.size(); ++i) exponents[i] += other.exponents[i];
  for (std::size_t i = 0; i < subnormals.size(); ++i) subnormals[i] += other.subnormals[i];
}

std::uint32_t largest_magnitude(const void* values, Storage storage, std::size_t count) {
  switch (storage) {
    case Storage::kFloat32:
      return largest_of_words(static_cast<const std::uint32_t*>(values), count);
    case Storage::kFloat16:
      return widen_half(largest_of_halves(static_cast<const std::uint16_t*>(values), count));
    case Storage::kBFloat16:
      break;
  }
  return static_cast<std::uint32_t>(largest_of_halves(static_cast<const std::uint16_t*>(values), count)) << 16;
}

void measure_values(const void* values, Storage storage, std::size_t count, Limits limits, Tally& tally) {
  alignas(64) std::uint32_t block[kBlock];
  for (std::size_t start = 0; start < count; start += kBlock) {
    const std::size_t size = std::min(kBlock, count - start);
    switch (storage) {
      case Storage::kFloat32:
        std::memcpy(block, static_cast<const std::uint32_t*>(values) + start, size * sizeof(std::uint32_t));
        break;
      case Storage::kFloat16:
        widen_halves(static_cast<const std::uint16_t*>(values) + start, block, size);
        break;
      case Storage::kBFloat16:
        widen_bfloats(static_cast<const std::uint16_t*>(values) + start, block, size);
        break;
    }
    measure_block(block, size, limits, tally);
  }
}

}  // namespace binade::observe
