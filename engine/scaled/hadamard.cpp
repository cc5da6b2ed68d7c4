// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/hadamard.h"

#include "engine/formats/clones.h"
#include "engine/scaled/random_bits.h"

#include <algorithm>

namespace binade::scaled {

namespace {

constexpr std::size_t kSize = Hadamard::kSize;
/// Columns that are transformed at a time: their 16 rows stay in registers or the first cache.
constexpr std::size_t kBatch = 16;

using Group = std::array<float, kSize>;
using Rows = std::array<float, kSize * kBatch>;

/// One of the four steps of Sylvester's transform with its lowest index bit first. Sum and difference of neighbours go
/// to halves of the result, so that after four steps every index has its place again. Neighbours at a constant distance
/// vectorise; the order of the sums is that of butterflies().
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

/// Sylvester's butterflies on 16 rows of `kBatch` columns, lowest index bit first.
inline void butterflies(float* rows) {
  for (std::size_t half = 1; half < kSize; half *= 2) {
    for (std::size_t start = 0; start < kSize; start += 2 * half) {
      for (std::size_t i = start; i < start + half; ++i) {
        float* __restrict low = rows + i * kBatch;
        float* __restrict high = rows + (i + half) * kBatch;
        for (std::size_t c = 0; c < kBatch; ++c) {
          const float sum = low[c] + high[c];
          high[c] = low[c] - high[c];
          low[c] = sum;
        }
      }
    }
  }
}

/// Transforms `kBatch` columns, whose rows are `stride` values apart.
BINADE_CLONES void transform_columns(float* values, std::size_t stride, const Group& factors) {
  alignas(64) Rows rows;
  for (std::size_t i = 0; i < kSize; ++i) {
    const float factor = factors[i];
    for (std::size_t c = 0; c < kBatch; ++c) rows[i * kBatch + c] = values[i * stride + c] * factor;
  }
  butterflies(rows.data());
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t c = 0; c < kBatch; ++c) values[i * stride + c] = rows[i * kBatch + c];
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
  const Group factors = factors_of(signs_);
  std::size_t c = 0;
  for (; c + kBatch <= count; c += kBatch) transform_columns(values + c, stride, factors);
  if (c == count) return;
  Rows rest{};
  for (std::size_t i = 0; i < kSize; ++i) std::copy_n(values + i * stride + c, count - c, &rest[i * kBatch]);
  transform_columns(rest.data(), kBatch, factors);
  for (std::size_t i = 0; i < kSize; ++i) std::copy_n(&rest[i * kBatch], count - c, values + i * stride + c);
}

void Hadamard::forward_rows(float* values, std::size_t count) const {
  transform_rows(values, count, factors_of(signs_));
}

void Hadamard::inverse(float* values) const {
  alignas(64) Rows rows{};
  for (std::size_t i = 0; i < kSize; ++i) rows[i * kBatch] = values[i];
  butterflies(rows.data());
  for (std::size_t i = 0; i < kSize; ++i) values[i] = rows[i * kBatch] * (signs_[i] * 0.25F);
}

}  // namespace binade::scaled
