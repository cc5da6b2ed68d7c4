// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace binade::scaled {

/// The random Hadamard transform of 16 values: y = (x * signs) H / 4, with Sylvester's matrix H and a random vector of
/// signs. It is orthogonal: a product of two operands transformed along the contracted dimension keeps its value, while
/// an outlier is spread over 16 values. Sums are float32 in a fixed order, so results repeat exactly. Safe on any
/// thread.
class Hadamard {
 public:
  static constexpr int kSize = 16;

  /// Signs from a seed: +1 or -1, each with probability 1/2.
  explicit Hadamard(std::uint64_t seed);

  const std::array<float, kSize>& signs() const { return signs_; }

  /// Transforms `count` groups of 16 neighbouring values in place.
  void forward_rows(float* values, std::size_t count) const;
  /// Transforms `count` columns of 16 values in place: value i of column c is at values[i * stride + c].
  void forward_columns(float* values, std::size_t stride, std::size_t count) const;
  /// Inverse for 16 values, exact up to float32 rounding.
  void inverse(float* values) const;

 private:
  std::array<float, kSize> signs_;
};

}  // namespace binade::scaled
