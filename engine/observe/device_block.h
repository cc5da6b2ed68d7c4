// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/fine_place.h"

#include <cstdint>

// The measuring pass on a GPU, as the work of each thread of a block between barriers. nvcc compiles it to the kernel
// (device_kernel.cu). The host compiler compiles it to an emulation of the same blocks, which a test compares with the
// CPU's kernel where no GPU is available.

#ifdef __CUDACC__
#define BINADE_DEVICE __device__ __forceinline__
#else
#define BINADE_DEVICE inline
#endif

namespace binade::observe::device {

inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kCopies = 8;  ///< copies of each counter, since neighbouring values share a binade and would
                                        ///< contend for one
inline constexpr unsigned kFormats = 6;
inline constexpr unsigned kPieces = 56;  ///< tensors per launch; keeps the kernel's arguments below 4 kB
inline constexpr std::uint64_t kBlockValues = 1u << 15;        ///< values per block
inline constexpr unsigned kFineCells = 277 * formats::kSteps;  ///< all steps of all float32 binades, in order

enum class Storage : std::uint32_t { kFloat32, kFloat16, kBFloat16 };

/// What a format does to a value, in order of increasing magnitude.
enum Kind : unsigned { kZero, kSubnormal, kOverflow, kKinds };

/// Counts of one tensor, in device memory. Zero-initialised.
struct Tally {
  unsigned long long exponents[256];  ///< values by biased exponent; 0: zeros and subnormals, 255: infinities and NaN
  unsigned long long subnormals[23];
  unsigned long long zero;
  unsigned long long positive_infinity;
  unsigned long long negative_infinity;
  unsigned long long nan;
  unsigned long long counts[kFormats][kKinds];
  double squares[kFormats][kKinds];
  double sum_of_squares;
  unsigned largest;              ///< magnitude bits
  unsigned inverse_of_smallest;  ///< inverted bits of the smallest non-zero magnitude; 0: there is none
  unsigned formats;              ///< number of formats that were counted
};

/// Count and squares of one step of one binade; see formats::FineCount.
struct FineCell {
  unsigned long long count;
  double squares;
};

/// For each kind, the half-open range [from, to) of magnitude bits.
struct Limits {
  unsigned from[kKinds];
  unsigned to[kKinds];
};

struct Piece {
  const void* values;
  std::uint64_t count;
  Tally* tally;
  FineCell* fine;             ///< kFineCells zero-initialised cells; null: not requested
  std::uint32_t first_block;  ///< index of its first block in the launch
  Storage storage;
  Limits watched;
};

/// The kernel's argument.
struct Launch {
  std::uint32_t pieces;
  std::uint32_t formats;  ///< 1: only the watched format; kFormats: the named ones too
  Limits named[kFormats - 1];
  Piece piece[kPieces];
};

/// Shared memory of one block.
struct Shared {
  unsigned exponents[256 * kCopies];
  unsigned subnormals[23];
  unsigned zero, positive_infinity, negative_infinity, nan;
  unsigned counts[kFormats][kKinds];
  double squares[kFormats][kKinds];
  double sum_of_squares;
  unsigned largest, inverse_of_smallest;
};

#ifdef __CUDACC__
template <class Value>
BINADE_DEVICE void add(Value* to, Value value) {
  atomicAdd(to, value);
}
BINADE_DEVICE void raise(unsigned* to, unsigned value) {
  atomicMax(to, value);
}
BINADE_DEVICE float as_float(unsigned bits) {
  return __uint_as_float(bits);
}
BINADE_DEVICE unsigned as_bits(float value) {
  return __float_as_uint(value);
}
BINADE_DEVICE unsigned leading_zeros(unsigned bits) {
  return static_cast<unsigned>(__clz(static_cast<int>(bits)));
}
#else
template <class Value>
BINADE_DEVICE void add(Value* to, Value value) {
  *to += value;
}
BINADE_DEVICE void raise(unsigned* to, unsigned value) {
  if (value > *to) *to = value;
}
BINADE_DEVICE float as_float(unsigned bits) {
  return __builtin_bit_cast(float, bits);
}
BINADE_DEVICE unsigned as_bits(float value) {
  return __builtin_bit_cast(unsigned, value);
}
BINADE_DEVICE unsigned leading_zeros(unsigned bits) {
  return static_cast<unsigned>(__builtin_clz(bits));
}
#endif

/// Returns a value of a piece as float32 bits.
BINADE_DEVICE unsigned bits_at(const Piece& piece, std::uint64_t i) {
  if (piece.storage == Storage::kFloat32) return static_cast<const unsigned*>(piece.values)[i];
  const unsigned half = static_cast<const std::uint16_t*>(piece.values)[i];
  if (piece.storage == Storage::kBFloat16) return half << 16;
  constexpr unsigned kTiny = 113u << 23;  // 2^-14, float16's smallest normal number
  const unsigned sign = (half & 0x8000u) << 16;
  const unsigned shifted = (half & 0x7fffu) << 13;
  const unsigned field = shifted >> 23;
  if (field == 0) return sign | as_bits(as_float(shifted + kTiny) - as_float(kTiny));
  return sign | (shifted + (field == 31 ? 224u << 23 : 112u << 23));
}

/// Exact even if the device flushes subnormals to 0.
BINADE_DEVICE double value_of(unsigned magnitude) {
  return magnitude < 0x00800000u ? static_cast<double>(magnitude) * 0x1p-149 : static_cast<double>(as_float(magnitude));
}

/// First part: thread `t` clears its share of the shared memory. A barrier must follow.
BINADE_DEVICE void clear(Shared& shared, unsigned t) {
  auto* words = reinterpret_cast<unsigned*>(&shared);
  for (unsigned i = t; i < sizeof(Shared) / sizeof(unsigned); i += kThreads) words[i] = 0;
}

BINADE_DEVICE const Piece& piece_of(const Launch& launch, unsigned block) {
  unsigned i = 0;
  while (i + 1 < launch.pieces && launch.piece[i + 1].first_block <= block) ++i;
  return launch.piece[i];
}

/// Second part: thread `t` counts every kThreads-th value of the block. Formats is 1 or kFormats, a template argument
/// so that counters stay in registers. A barrier must follow.
template <unsigned Formats>
BINADE_DEVICE void look(const Launch& launch, unsigned block, Shared& shared, unsigned t) {
  const Piece& piece = piece_of(launch, block);
  const std::uint64_t begin = (block - piece.first_block) * kBlockValues;
  const std::uint64_t end = begin + kBlockValues < piece.count ? begin + kBlockValues : piece.count;
  unsigned counts[Formats][kKinds] = {};
  double squares[Formats][kKinds] = {};
  double sum = 0;
  unsigned largest = 0;
  unsigned inverse_of_smallest = 0;
  for (std::uint64_t i = begin + t; i < end; i += kThreads) {
    const unsigned bits = bits_at(piece, i);
    const unsigned magnitude = bits & 0x7fffffffu;
    const unsigned field = magnitude >> 23;
    add(&shared.exponents[field * kCopies + t % kCopies], 1u);
    if (magnitude >= 0x7f800000u) {
      add(magnitude > 0x7f800000u ? &shared.nan
          : (bits >> 31) != 0     ? &shared.negative_infinity
                                  : &shared.positive_infinity,
          1u);
      continue;
    }
    if (magnitude == 0) {
      add(&shared.zero, 1u);
      continue;
    }
    if (field == 0) add(&shared.subnormals[31 - leading_zeros(magnitude)], 1u);
    const double value = value_of(magnitude);
    const double square = value * value;
    sum += square;
    largest = magnitude > largest ? magnitude : largest;
    inverse_of_smallest = ~magnitude > inverse_of_smallest ? ~magnitude : inverse_of_smallest;
    for (unsigned format = 0; format < Formats; ++format) {
      const Limits& limits = format == 0 ? piece.watched : launch.named[format - 1];
      for (unsigned kind = 0; kind < kKinds; ++kind) {
        const bool inside = magnitude >= limits.from[kind] && magnitude < limits.to[kind];
        counts[format][kind] += inside ? 1 : 0;
        squares[format][kind] += inside ? square : 0;
      }
    }
  }
  for (unsigned format = 0; format < Formats; ++format) {
    for (unsigned kind = 0; kind < kKinds; ++kind) {
      if (counts[format][kind] == 0) continue;
      add(&shared.counts[format][kind], counts[format][kind]);
      add(&shared.squares[format][kind], squares[format][kind]);
    }
  }
  if (largest == 0) return;
  add(&shared.sum_of_squares, sum);
  raise(&shared.largest, largest);
  raise(&shared.inverse_of_smallest, inverse_of_smallest);
}

/// Third part: thread `t` adds its share of the block's counts to the tensor's tally.
BINADE_DEVICE void hand_in(const Launch& launch, unsigned block, const Shared& shared, unsigned t) {
  Tally& tally = *piece_of(launch, block).tally;
  for (unsigned e = t; e < 256; e += kThreads) {
    unsigned long long sum = 0;
    for (unsigned copy = 0; copy < kCopies; ++copy) sum += shared.exponents[e * kCopies + copy];
    if (sum != 0) add(&tally.exponents[e], sum);
  }
  if (t < 23 && shared.subnormals[t] != 0) {
    add(&tally.subnormals[t], static_cast<unsigned long long>(shared.subnormals[t]));
  }
  if (t < kFormats * kKinds) {
    const unsigned format = t / kKinds;
    const unsigned kind = t % kKinds;
    if (shared.counts[format][kind] != 0) {
      add(&tally.counts[format][kind], static_cast<unsigned long long>(shared.counts[format][kind]));
      add(&tally.squares[format][kind], shared.squares[format][kind]);
    }
  }
  if (t != 0) return;
  add(&tally.zero, static_cast<unsigned long long>(shared.zero));
  add(&tally.positive_infinity, static_cast<unsigned long long>(shared.positive_infinity));
  add(&tally.negative_infinity, static_cast<unsigned long long>(shared.negative_infinity));
  add(&tally.nan, static_cast<unsigned long long>(shared.nan));
  add(&tally.sum_of_squares, shared.sum_of_squares);
  raise(&tally.formats, launch.formats);
  raise(&tally.largest, shared.largest);
  raise(&tally.inverse_of_smallest, shared.inverse_of_smallest);
}

/// A separate pass without barriers, for Depth::kWhatIf. Thread `t` counts its values into the tensor's cells and
/// merges consecutive values of one step.
BINADE_DEVICE void look_closely(const Launch& launch, unsigned block, unsigned t) {
  const Piece& piece = piece_of(launch, block);
  const std::uint64_t begin = (block - piece.first_block) * kBlockValues;
  const std::uint64_t end = begin + kBlockValues < piece.count ? begin + kBlockValues : piece.count;
  unsigned cell = 0;
  unsigned count = 0;
  double squares = 0;
  const auto hand_in_cell = [&] {
    if (count == 0) return;
    add(&piece.fine[cell].count, static_cast<unsigned long long>(count));
    add(&piece.fine[cell].squares, squares);
  };
  for (std::uint64_t i = begin + t; i < end; i += kThreads) {
    const unsigned magnitude = bits_at(piece, i) & 0x7fffffffu;
    if (magnitude == 0 || magnitude >= 0x7f800000u) continue;
    const formats::FinePlace place = formats::place_of_magnitude(magnitude);
    const auto at = static_cast<unsigned>((place.binade + 149) * formats::kSteps + place.step);
    if (at != cell) {
      hand_in_cell();
      cell = at;
      count = 0;
      squares = 0;
    }
    ++count;
    squares += value_of(magnitude) * value_of(magnitude);
  }
  hand_in_cell();
}

}  // namespace binade::observe::device
