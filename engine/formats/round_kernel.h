// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstddef>
#include <cstdint>

namespace binade::formats {

/// Rounds many float32 values to one format: the same bits as `round(value, format, overflow)` gives for each, at the
/// speed of memory. Compiled for AVX-512, AVX2 and the baseline, chosen when the program starts. Depends on neither the
/// thread's flush-to-zero nor its denormals-are-zero mode. A plain value; safe on any thread.
class Rounder {
 public:
  explicit Rounder(const Format& format, Overflow overflow = Overflow::kInfinity);

  /// `to[i] = round(from[i])` for `count` values; `from == to` rounds in place, other overlaps are not allowed.
  void operator()(const float* from, float* to, std::size_t count) const;

  /// Whether rounding changes nothing but signalling NaN: the format is float32 and infinities stay.
  bool is_identity() const { return identity_; }

  /// What the loop needs of a format, as float32 patterns. Magnitudes are patterns without their sign.
  struct Constants {
    std::uint32_t half;             ///< what is added below the kept bits, less the tie's odd bit
    std::uint32_t odd;              ///< 1, or 0 where nothing is dropped
    std::uint32_t drop;             ///< mantissa bits that are dropped
    std::uint32_t keep;             ///< mask of the bits that stay
    std::uint32_t smallest_normal;  ///< magnitudes below it are rounded by `magic`; 0 where no magnitude is
    float magic;                    ///< a power of two whose spacing is the format's smallest subnormal
    std::uint32_t largest;          ///< a rounded magnitude above it is replaced by `beyond`
    std::uint32_t beyond;
    std::uint32_t nan;  ///< bits that every NaN gets
  };
  /// For whoever does the same on another device.
  const Constants& constants() const { return constants_; }

 private:
  Constants constants_;
  bool identity_;
};

}  // namespace binade::formats
