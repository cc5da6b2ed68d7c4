// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/measure_kernel.h"

#include "engine/observe/half_to_float.h"

#include <algorithm>
#include <bit>

// With 512-bit registers comparisons use mask registers, which costs more than it saves.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BINADE_BYTE_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define BINADE_BYTE_CLONES
#endif

namespace binade::observe {

namespace {

constexpr std::size_t kBlock = 2048;  // values per block: a block stays in the L1 cache over all its passes
constexpr std::size_t kLanes = 16;
// Explicit lanes, so that sums have the same order with every instruction set. The lanes are two vectors of 32 bytes:
// for AVX2, GCC 12 takes a vector of 64 bytes apart into single values.
constexpr std::size_t kVectors = 2;
constexpr std::size_t kInVector = kLanes / kVectors;
using Words = std::uint32_t __attribute__((vector_size(32), aligned(4), may_alias));
using Bytes = std::uint8_t __attribute__((vector_size(32), aligned(1), may_alias));
using Floats = float __attribute__((vector_size(32), aligned(4), may_alias));

constexpr unsigned kCompared = 64;  // binades; with more of them counters are faster

/// Counters of biased exponents, eight copies each: neighbouring values often share a binade, and an increment must not
/// wait for the previous one.
using Counters = std::array<std::array<std::uint32_t, 8>, 256>;

/// Squares of magnitudes between these stay within float32's range over a block, and lose nothing significant.
constexpr std::uint32_t kFirstFastSquare = (127u - 40) << 23;
constexpr std::uint32_t kFastSquares = (127u + 57) << 23;

/// Results of a branch-free pass over a block.
struct Look {
  std::uint32_t largest = 0;   // magnitude bits, including infinities and NaN
  std::uint32_t smallest = 0;  // non-zero
  std::uint64_t zero = 0;
  double squares = 0;  // of all values, summed in float32
};

/// Count and sum of squares of some values of a block.
struct Part {
  std::uint64_t count = 0;
  double squares = 0;
};

double sum(const Floats (&vectors)[kVectors]) {
  double total = 0;
  for (const Floats& vector : vectors) {
    for (std::size_t lane = 0; lane < kInVector; ++lane) total += static_cast<double>(vector[lane]);
  }
  return total;
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

/// `count` must be a multiple of kLanes.
BINADE_CLONES void look(const std::uint32_t* bits, std::size_t count, Look& seen) {
  Words largest[kVectors] = {};
  Words smallest[kVectors] = {Words{} - 1, Words{} - 1};
  Words zero[kVectors] = {};
  Floats squares[kVectors] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Words magnitude = *reinterpret_cast<const Words*>(bits + i + v * kInVector) & kMagnitude;
      const Words below = magnitude - 1;  // a zero becomes the largest value
      largest[v] = magnitude > largest[v] ? magnitude : largest[v];
      smallest[v] = below < smallest[v] ? below : smallest[v];
      zero[v] -= (Words)(magnitude == 0);
      const Floats value = (Floats)magnitude;
      squares[v] += value * value;
    }
  }
  seen.smallest = ~0u;
  for (std::size_t v = 0; v < kVectors; ++v) {
    for (std::size_t lane = 0; lane < kInVector; ++lane) {
      seen.largest = std::max(seen.largest, largest[v][lane]);
      seen.smallest = std::min(seen.smallest, smallest[v][lane]);
      seen.zero += zero[v][lane];
    }
  }
  seen.smallest += 1;
  seen.squares = sum(squares);
}

/// Adds the values with magnitude bits in [from, to), squared in float32.
BINADE_CLONES void part_fast(const std::uint32_t* bits, std::size_t count, std::uint32_t from, std::uint32_t to,
                             Part& part) {
  Words number[kVectors] = {};
  Floats squares[kVectors] = {};
  const std::uint32_t width = to - from;
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Words magnitude = *reinterpret_cast<const Words*>(bits + i + v * kInVector) & kMagnitude;
      const Words inside = (Words)(magnitude - from < width);
      number[v] -= inside;
      const Floats value = (Floats)(magnitude & inside);
      squares[v] += value * value;
    }
  }
  for (const Words& vector : number) {
    for (std::size_t lane = 0; lane < kInVector; ++lane) part.count += vector[lane];
  }
  part.squares += sum(squares);
}

/// As part_fast but in float64, for magnitudes whose squares exceed float32.
void part_wide(const std::uint32_t* bits, std::size_t count, std::uint32_t from, std::uint32_t to, Part& part) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = bits[i] & kMagnitude;
    if (magnitude - from >= to - from) continue;
    const double value = value_of(magnitude);
    ++part.count;
    part.squares += value * value;
  }
}

/// Counts infinities and NaN of a block that has some, and returns the largest magnitude without them.
std::uint32_t count_specials(const std::uint32_t* bits, std::size_t count, Tally& tally) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = bits[i] & kMagnitude;
    if (magnitude > kInfinity) {
      ++tally.nan;
    } else if (magnitude == kInfinity) {
      ++((bits[i] >> 31) != 0 ? tally.negative_infinity : tally.positive_infinity);
    } else {
      largest = std::max(largest, magnitude);
    }
  }
  return largest;
}

void count_subnormals(const std::uint32_t* bits, std::size_t count, Tally& tally) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = bits[i] & kMagnitude;
    if (magnitude == 0 || magnitude >= kSmallestNormal) continue;
    ++tally.subnormals[static_cast<std::size_t>(std::bit_width(magnitude) - 1)];
  }
}

/// Extracts the biased exponents of a block, one byte each.
BINADE_CLONES void exponents_of(const std::uint32_t* bits, std::size_t count, std::uint8_t* fields) {
  for (std::size_t i = 0; i < count; ++i) fields[i] = static_cast<std::uint8_t>(bits[i] >> 23);
}

/// Counts the exponents `first` to `first` + 3: four comparisons per load. A lane counts at most 64.
BINADE_BYTE_CLONES void count_four(const std::uint8_t* fields, std::size_t count, unsigned first,
                                   std::uint64_t* exponents) {
  Bytes a{}, b{}, c{}, d{};
  const Bytes zero{};
  const Bytes wanted = zero + static_cast<std::uint8_t>(first);
  for (std::size_t i = 0; i < count; i += sizeof(Bytes)) {
    const Bytes field = *reinterpret_cast<const Bytes*>(fields + i) - wanted;
    a -= (Bytes)(field == 0);
    b -= (Bytes)(field == 1);
    c -= (Bytes)(field == 2);
    d -= (Bytes)(field == 3);
  }
  std::uint32_t sums[4] = {};
  for (std::size_t lane = 0; lane < sizeof(Bytes); ++lane) {
    sums[0] += a[lane];
    sums[1] += b[lane];
    sums[2] += c[lane];
    sums[3] += d[lane];
  }
  for (unsigned i = 0; i < 4; ++i) exponents[first + i] += sums[i];
}

/// Counts finite values with exponents `lowest` (at least 1) to `highest`. Most blocks hold few binades, where
/// comparing with each is several times faster than a counter in memory per value.
void count_exponents(const std::uint32_t* bits, std::size_t count, unsigned lowest, unsigned highest,
                     Counters& counters, Tally& tally) {
  if (highest - lowest >= kCompared) {
    for (std::size_t i = 0; i < count; i += 8) {
      for (std::size_t k = 0; k < 8; ++k) ++counters[(bits[i + k] >> 23) & 0xffu][k];
    }
    return;
  }
  alignas(64) std::uint8_t fields[kBlock];
  exponents_of(bits, count, fields);
  const std::size_t whole = (count + sizeof(Bytes) - 1) / sizeof(Bytes) * sizeof(Bytes);
  std::fill(fields + count, fields + whole, std::uint8_t{0});
  // The last group may exceed 255, and padding zeros may be counted there; those entries are never read.
  for (unsigned first = lowest; first <= highest; first += 4) {
    count_four(fields, whole, first, tally.exponents.data());
  }
}

/// One block, padded with `padding` zeros to a whole number of lanes.
class Block {
 public:
  Block(const std::uint32_t* bits, std::size_t count, std::size_t padding, Tally& tally) : bits_(bits), count_(count) {
    Look seen;
    look(bits, count, seen);
    tally.zero += seen.zero - padding;
    largest_ = seen.largest < kInfinity ? seen.largest : count_specials(bits, count, tally);
    if (largest_ == 0) return;  // only zeros and non-finite values
    smallest_ = seen.smallest;
    fast_ = largest_ >= kFirstFastSquare && largest_ < kFastSquares;
    all_ = fast_ && largest_ == seen.largest ? Part{count - seen.zero, seen.squares} : pass(1, kInfinity);
    tally.largest = std::max(tally.largest, largest_);
    tally.smallest = std::min(tally.smallest, smallest_);
    tally.sum_of_squares += all_.squares;
    if (smallest_ < kSmallestNormal) count_subnormals(bits, count, tally);
  }

  bool nothing() const { return largest_ == 0; }
  /// Biased exponents of the smallest and the largest magnitude.
  unsigned lowest() const { return smallest_ >> 23; }
  unsigned highest() const { return largest_ >> 23; }

  /// Returns the values with magnitude bits in [from, to). Most limits lie outside the block's range.
  Part between(std::uint32_t from, std::uint32_t to) const {
    if (largest_ == 0 || to <= smallest_ || from > largest_ || from >= to) return {};
    if (from <= smallest_ && to > largest_) return all_;
    return pass(from, to);
  }

 private:
  Part pass(std::uint32_t from, std::uint32_t to) const {
    Part part;
    if (fast_) {
      part_fast(bits_, count_, from, to, part);
    } else {
      part_wide(bits_, count_, from, to, part);
    }
    return part;
  }

  const std::uint32_t* bits_;
  std::size_t count_;
  std::uint32_t largest_ = 0;
  std::uint32_t smallest_ = 0;
  bool fast_ = false;
  Part all_;
};

void count_format(const Block& block, const formats::Limits& limits, formats::FormatCounts& counts) {
  const Part zero = block.between(1, limits.underflow + 1);
  const Part subnormal = block.between(limits.underflow + 1, limits.normal);
  const Part overflow = block.between(limits.overflow, kInfinity);
  counts.zero += zero.count;
  counts.zero_squares += zero.squares;
  counts.subnormal += subnormal.count;
  counts.subnormal_squares += subnormal.squares;
  counts.overflow += overflow.count;
  counts.overflow_squares += overflow.squares;
}

void measure_block(const std::uint32_t* bits, std::size_t count, std::size_t padding,
                   std::span<const formats::Limits> limits, Counters& counters, Tally& tally) {
  const Block block(bits, count, padding, tally);
  if (block.nothing()) return;
  if (block.highest() > 0) count_exponents(bits, count, std::max(1u, block.lowest()), block.highest(), counters, tally);
  for (std::size_t i = 0; i < limits.size(); ++i) count_format(block, limits[i], tally.formats[i]);
}

}  // namespace

void Tally::add(const Tally& other) {
  zero += other.zero;
  positive_infinity += other.positive_infinity;
  negative_infinity += other.negative_infinity;
  nan += other.nan;
  largest = std::max(largest, other.largest);
  smallest = std::min(smallest, other.smallest);
  sum_of_squares += other.sum_of_squares;
  for (std::size_t i = 0; i < exponents.size(); ++i) exponents[i] += other.exponents[i];
  for (std::size_t i = 0; i < subnormals.size(); ++i) subnormals[i] += other.subnormals[i];
  for (std::size_t i = 0; i < formats.size(); ++i) formats[i].add(other.formats[i]);
}

std::uint32_t largest_magnitude(const void* values, Storage storage, std::size_t count) {
  switch (storage) {
    case Storage::kFloat32:
      return largest_of_words(static_cast<const std::uint32_t*>(values), count);
    case Storage::kFloat16:
      return half_bits_to_float(largest_of_halves(static_cast<const std::uint16_t*>(values), count));
    case Storage::kBFloat16:
      break;
  }
  return static_cast<std::uint32_t>(largest_of_halves(static_cast<const std::uint16_t*>(values), count)) << 16;
}

void measure_values(const void* values, Storage storage, std::size_t count, std::span<const formats::Limits> limits,
                    Tally& tally) {
  alignas(64) std::uint32_t copy[kBlock];
  Counters counters{};
  for (std::size_t start = 0; start < count; start += kBlock) {
    const std::size_t size = std::min(kBlock, count - start);
    const std::size_t whole = (size + kLanes - 1) / kLanes * kLanes;
    const std::uint32_t* bits = copy;
    if (storage == Storage::kFloat32 && whole == size) {
      bits = static_cast<const std::uint32_t*>(values) + start;
    } else {
      half_to_float(values, storage, start, size, copy);
      std::fill(copy + size, copy + whole, 0u);
    }
    measure_block(bits, whole, whole - size, limits, counters, tally);
  }
  for (std::size_t e = 0; e < counters.size(); ++e) {
    for (const std::uint32_t counter : counters[e]) tally.exponents[e] += counter;
  }
}

}  // namespace binade::observe
