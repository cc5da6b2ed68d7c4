// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/hadamard.h"

#include "engine/formats/clones.h"
#include "engine/scaled/random_bits.h"

namespace binade::scaled {

namespace {

constexpr std::size_t kSize = Hadamard::kSize;

using Group = std::array<float, kSize>;

/// One of the four steps of Sylvester's transform with its lowest index bit first. Sum and difference of neighbours go
/// to halves of the result, so that after four steps every index has its place again. Neighbours at a constant distance
/// vectorise; the order of the sums is that of transform_columns().
inline void step(const Group& from, Group& to) {
  for (std::size_t i = 0; i < kSize / 2; ++i) {
    to[i] = from[2 * i] + from[2 * i + 1];
    to[i + kSize / 2] = from[2 * i] - from[2 * i + 1];
  }
}

BINADE_CLONES void transform_rows(float* values, std::size_t count, const Group& factors) {
  const Group copy = factors;
  for (std::size_t g = 0; g < count; ++g) {
    float* const group = values + g * kSize;
    alignas(64) Group a;
    alignas(64) Group b;
    for (std::size_t i = 0; i < kSize; ++i) a[i] = group[i] * copy[i];
    step(a, b);
    step(b, a);
    step(a, b);
    step(b, a);
    for (std::size_t i = 0; i < kSize; ++i) group[i] = a[i];
  }
}

/// Transforms columns, whose rows are `stride` values apart: Sylvester's butterflies, lowest index bit first.
BINADE_CLONES void transform_columns(float* values, std::size_t stride, std::size_t count, const Group& factors) {
  for (std::size_t i = 0; i < kSize; ++i) {
    float* const row = values + i * stride;
    const float factor = factors[i];
    for (std::size_t c = 0; c < count; ++c) row[c] *= factor;
  }
  for (std::size_t half = 1; half < kSize; half *= 2) {
    for (std::size_t i = 0; i < kSize; ++i) {
      if ((i & half) != 0) continue;
      float* __restrict low = values + i * stride;
      float* __restrict high = values + (i + half) * stride;
      for (std::size_t c = 0; c < count; ++c) {
        const float sum = low[c] + high[c];
        high[c] = low[c] - high[c];
        low[c] = sum;
      }
    }
  }
}

/// Signs, and the factor that makes the transform orthogonal.
Group factors_of(const Group& signs) {
  Group factors;
  for (std::size_t i = 0; i < kSize; ++i) factors[i] = signs[i] * 0.25F;
  return factors;
}

}  // namespace

Hadamard::Hadamard(std::uint64_t seed) {
  const std::uint32_t bits = RandomBits(seed, 0x5169).at(0);
  for (std::size_t i = 0; i < kSize; ++i) signs_[i] = (bits >> i) & 1u ? -1.0F : 1.0F;
}

void Hadamard::forward_columns(float* values, std::size_t stride, std::size_t count) const {
  transform_columns(values, stride, count, factors_of(signs_));
}

void Hadamard::forward_rows(float* values, std::size_t count) const {
  transform_rows(values, count, factors_of(signs_));
}

void Hadamard::inverse(float* values) const {
  Group ones;
  ones.fill(1.0F);
  transform_columns(values, 1, 1, ones);
  for (std::size_t i = 0; i < kSize; ++i) values[i] *= signs_[i] * 0.25F;
}

}  // namespace binade::scaled
