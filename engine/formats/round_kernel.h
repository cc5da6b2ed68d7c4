// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstddef>
#include <cstdint>

namespace binade::formats {

/// Rounds arrays of float32 values to one format, bit for bit as `round(value, format, overflow)`, at memory bandwidth.
/// Compiled for AVX-512, AVX2 and the baseline, selected when the program starts. Independent of the thread's
/// flush-to-zero and denormals-are-zero modes. A plain value; safe on any thread.
class Rounder {
 public:
  explicit Rounder(const Format& format, Overflow overflow = Overflow::kInfinity);

  /// Sets `to[i] = round(from[i])` for `count` values. `from == to` rounds in place; other overlaps are not allowed.
  void operator()(const float* from, float* to, std::size_t count) const;

  /// Whether rounding changes only signalling NaNs: the format is float32 and infinities stay.
  bool is_identity() const { return identity_; }

  /// Constants of the loop, as float32 bit patterns. A magnitude is a pattern without its sign.
  struct Constants {
    std::uint32_t half;             ///< added before truncation: half the dropped range, less 1
    std::uint32_t odd;              ///< mask of the lowest kept bit's tie correction: 1, or 0 if no bit is dropped
    std::uint32_t drop;             ///< number of mantissa bits dropped
    std::uint32_t keep;             ///< mask of the bits kept
    std::uint32_t smallest_normal;  ///< magnitudes below it are rounded by `magic`; 0 if there are none
    float magic;                    ///< a power of two whose spacing is the format's smallest subnormal
    std::uint32_t largest;          ///< a rounded magnitude above it becomes `beyond`
    std::uint32_t beyond;
    std::uint32_t nan;  ///< bits set in every NaN
  };
  /// For implementations on other devices.
  const Constants& constants() const { return constants_; }

 private:
  Constants constants_;
  bool identity_;
};

}  // namespace binade::formats
