// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/scaled_format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::scaled {

/// Reason why the hardware or its libraries would not run a matrix in a format as it is.
struct Misfit {
  enum class Kind : std::uint8_t {
    kEmpty,     ///< the matrix has no values: nothing is quantized
    kOneValue,  ///< a single value: its scale is its own, so the result says nothing about the format
    kColumns,   ///< the contracted dimension is no multiple of `needed`
    kRows,      ///< the other dimension is no multiple of `needed`
  };
  Kind kind = Kind::kEmpty;
  std::int64_t size = 0;    ///< of the dimension
  std::int64_t needed = 0;  ///< the size must be a multiple of it
  std::int64_t padded = 0;  ///< the next size that fits
  friend bool operator==(const Misfit&, const Misfit&) = default;
};

/// Misfits of a matrix of rows * columns, contracted along the columns; empty where it fits. Sizes must be multiples of
/// 32 for MX formats, of 16 for nvfp4 and FP8 per tensor (the products' requirement), of 128 for FP8 blocks.
std::vector<Misfit> misfits(const ScaledFormat& format, std::int64_t rows, std::int64_t columns);

/// A misfit as a sentence, with what a library would do.
std::string sentence(const Misfit& misfit, const ScaledFormat& format);

}  // namespace binade::scaled
