// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/limits.h"
#include "engine/formats/tensor_stats.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Measuring passes over memory, without LibTorch. Each is compiled for AVX-512, AVX2 and the baseline, and selected
// when the program starts.

namespace binade::observe {

/// Number of formats counted in one pass, the watched one first.
inline constexpr std::size_t kCountedFormats = 1 + formats::kNamedFormats.size();

/// Accumulated counts. A plain value; add() merges two.
struct Tally {
  std::uint64_t zero = 0;
  std::uint64_t positive_infinity = 0;
  std::uint64_t negative_infinity = 0;
  std::uint64_t nan = 0;
  std::uint32_t largest = 0;             ///< bits of the largest finite magnitude as float32
  std::uint32_t smallest = 0x7f800000u;  ///< bits of the smallest non-zero magnitude
  double sum_of_squares = 0;
  std::array<std::uint64_t, 258> exponents{};  ///< values by biased exponent, 1 to 254; other entries are meaningless
  std::array<std::uint64_t, 23> subnormals{};  ///< subnormal float32 values by binade, from -149
  std::array<formats::FormatCounts, kCountedFormats> formats;  ///< one entry per given limit

  void add(const Tally& other);
};

enum class Storage : std::uint8_t { kFloat32, kFloat16, kBFloat16 };

/// Returns the largest magnitude of `count` values as float32 bits; infinities and NaN are included. Reads memory once.
std::uint32_t largest_magnitude(const void* values, Storage storage, std::size_t count);

/// Adds the statistics of `count` values (fewer than 2^32) to `tally`. `limits` selects the formats, at most
/// kCountedFormats. One pass over blocks that stay in the first cache: first extremes and squares. A block holds few
/// binades, so each value is then compared with each of them, instead of one counter in memory for every value. Last,
/// for each format, only the limits between the block's extremes are counted.
void measure_values(const void* values, Storage storage, std::size_t count, std::span<const formats::Limits> limits,
                    Tally& tally);

/// Counts and squares by the steps of formats::FinePlace, as dense arrays (115 kB).
class FineTally {
 public:
  FineTally();
  void measure_values(const void* values, Storage storage, std::size_t count);
  void add(const FineTally& other);
  /// Returns the non-empty steps, ascending.
  std::vector<formats::FineCount> rows() const;

 private:
  std::vector<std::uint64_t> counts_;
  std::vector<double> squares_;
};

}  // namespace binade::observe
