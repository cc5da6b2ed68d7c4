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

/// Binades that a float32 value can lie in: -149 (smallest subnormal) to 127.
inline constexpr int kFirstBinade = -149;
inline constexpr int kLastBinade = 127;
inline constexpr int kBinades = kLastBinade - kFirstBinade + 1;

/// How closely one pass over a tensor looks.
enum class Depth : std::uint8_t {
  kHistogram,  ///< counts, extremes, squares and binades
  kFormats,    ///< and what each of kNamedFormats would do to the values as they are
  kWhatIf,     ///< and the steps of every binade: exact for every format at every power-of-two scale
};

/// What rounding to one format does to finite non-zero values: how many, and the squares that they carried.
struct FormatCounts {
  std::uint64_t zero = 0;       ///< become 0
  std::uint64_t subnormal = 0;  ///< are held as subnormal numbers
  std::uint64_t overflow = 0;   ///< lie at or beyond the overflow limit
  double zero_squares = 0;
  double subnormal_squares = 0;
  double overflow_squares = 0;

  void add(const FormatCounts& other);
  friend bool operator==(const FormatCounts&, const FormatCounts&) = default;
};
using NamedCounts = std::array<FormatCounts, kNamedFormats.size()>;

/// What one pass over a tensor finds. Counts are exact. A plain value.
struct TensorStats {
  std::uint64_t count = 0;  ///< elements seen
  std::uint64_t zero = 0;
  std::uint64_t positive_infinity = 0;
  std::uint64_t negative_infinity = 0;
  std::uint64_t nan = 0;
  /// Finite values at or beyond the watched format's overflow limit, non-zero ones at or below its underflow limit.
  /// Where the tensor is already held in the format both are 0 by construction: see `censored`.
  std::uint64_t overflow = 0;
  std::uint64_t underflow = 0;
  float largest = 0;          ///< largest finite magnitude; 0 where there is none
  float smallest = 0;         ///< smallest non-zero magnitude; 0 where there is none
  double sum_of_squares = 0;  ///< of the finite values
  bool scan = false;          ///< only count, largest, overflow and the non-finite counts were looked for
  bool censored = false;      ///< seen after rounding: lost values can no longer be told from true zeros
  std::array<std::uint32_t, kBinades> binades{};  ///< finite non-zero values by binade, from kFirstBinade
  std::optional<NamedCounts> named;               ///< from Depth::kFormats on, in the order of kNamedFormats
  std::vector<FineCount> fine;                    ///< at Depth::kWhatIf: occupied steps, ascending

  std::uint64_t non_finite() const { return positive_infinity + negative_infinity + nan; }
  /// Finite values that are not 0. Of a scan, as no zeros were counted, finite values.
  std::uint64_t occupied() const { return count - zero - non_finite(); }
  friend bool operator==(const TensorStats&, const TensorStats&) = default;
};

/// Doublings left: how often the largest magnitude can double without overflow in `format`; below 0 once it has.
/// Infinity for a tensor of zeros. Whole doublings are the floor. Infinities that came in are not counted against it
/// (a mask is full of them), unless nothing finite is there or the tensor is censored, where they may be overflows:
/// then minus infinity.
double headroom(const TensorStats& stats, const Format& format);

/// Plain reference of the one-pass kernel; `watched` gives the limits that `overflow` and `underflow` count against.
TensorStats measure(std::span<const float> values, const Format& watched, Depth depth = Depth::kHistogram);

/// Adds what another pass found, for two tensors that count as one. What only one of the two looked for is dropped.
void add(TensorStats& stats, const TensorStats& other);

/// Packs statistics into bytes (little-endian, occupied binades only) as the run file and the wire hold them.
std::string pack(const TensorStats& stats);

/// Reads what `pack` wrote. Throws Error{kBadFile} on anything else.
TensorStats unpack(std::string_view bytes);

}  // namespace binade::formats
