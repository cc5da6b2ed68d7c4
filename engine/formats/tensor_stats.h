// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/fine_counts.h"
#include "engine/formats/format.h"
#include "engine/formats/limits.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace binade::formats {

/// Binades of float32: -149 (the smallest subnormal) to 127.
inline constexpr int kFirstBinade = -149;
inline constexpr int kLastBinade = 127;
inline constexpr int kBinades = kLastBinade - kFirstBinade + 1;

/// Detail of one pass over a tensor; each level includes the one before it.
enum class Depth : std::uint8_t {
  kHistogram,  ///< counts, extremes, sum of squares, binades
  kFormats,    ///< also the effect of each of kNamedFormats on the values as they are
  kWhatIf,     ///< also the steps of every binade: exact for every format at every power-of-two scale
};

/// Effect of rounding to one format on finite non-zero values: how many, and the sum of their squares.
struct FormatCounts {
  std::uint64_t zero = 0;       ///< become 0
  std::uint64_t subnormal = 0;  ///< become subnormal numbers
  std::uint64_t overflow = 0;   ///< are at or beyond the overflow limit
  double zero_squares = 0;
  double subnormal_squares = 0;
  double overflow_squares = 0;

  void add(const FormatCounts& other);
  friend bool operator==(const FormatCounts&, const FormatCounts&) = default;
};
using NamedCounts = std::array<FormatCounts, kNamedFormats.size()>;

/// Statistics from one pass over a tensor. Counts are exact, except that a binade's stops at 2^32 - 1. A plain value.
struct TensorStats {
  std::uint64_t count = 0;  ///< elements
  std::uint64_t zero = 0;
  std::uint64_t positive_infinity = 0;
  std::uint64_t negative_infinity = 0;
  std::uint64_t nan = 0;
  /// Finite values at or beyond the watched format's overflow limit, and non-zero values at or below its underflow
  /// limit. Both are 0 by construction for a tensor already held in that format: see `censored`.
  std::uint64_t overflow = 0;
  std::uint64_t underflow = 0;
  float largest = 0;          ///< largest finite magnitude; 0 if there is none
  float smallest = 0;         ///< smallest non-zero magnitude; 0 if there is none
  double sum_of_squares = 0;  ///< over the finite values
  bool scan = false;          ///< only count, largest, overflow and the non-finite counts were measured
  bool censored = false;      ///< measured after rounding: underflowed values cannot be distinguished from true zeros
  std::array<std::uint32_t, kBinades> binades{};  ///< finite non-zero values per binade, from kFirstBinade
  std::optional<NamedCounts> named;               ///< from Depth::kFormats on; in the order of kNamedFormats
  std::vector<FineCount> fine;                    ///< at Depth::kWhatIf: occupied steps, ascending

  std::uint64_t non_finite() const { return positive_infinity + negative_infinity + nan; }
  /// Finite values that are not 0. A scan counts no zeros, so there it is all finite values.
  std::uint64_t occupied() const { return count - zero - non_finite(); }
  friend bool operator==(const TensorStats&, const TensorStats&) = default;
};

/// Number of times the largest magnitude can double before it overflows in `format`; negative once it has. Round down
/// for whole doublings. Infinity for a tensor of zeros. Infinities in the tensor do not count, because masks contain
/// them, unless the tensor is censored or has no finite non-zero value: then the result is minus infinity.
double headroom(const TensorStats& stats, const Format& format);

/// Reference implementation of the one-pass kernel. `overflow` and `underflow` count against the limits of `watched`.
TensorStats measure(std::span<const float> values, const Format& watched, Depth depth = Depth::kHistogram);

/// Adds the statistics of another tensor, as if both were one. Details that only one of the two measured are dropped.
void add(TensorStats& stats, const TensorStats& other);

/// Packs statistics into bytes (little-endian, occupied binades only), the form used in the run file and on the wire.
std::string pack(const TensorStats& stats);

/// Unpacks the bytes of `pack`. Throws Error{kBadFile} for anything else.
TensorStats unpack(std::string_view bytes);

}  // namespace binade::formats
