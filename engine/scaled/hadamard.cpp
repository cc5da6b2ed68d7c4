// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/hadamard.h"

#include "engine/formats/clones.h"
#include "engine/scaled/random_bits.h"

namespace binade::scaled {

namespace {

constexpr std::size_t kSize = Hadamard::kSize;
/// Columns that are transformed at a time: their 16 rows stay in registers or the first cache.
constexpr std::size_t kBatch = 16;

/// Sylvester's butterflies on 16 rows of `kBatch` columns. The order of the sums is that of the scalar transform.
BINADE_CLONES void butterflies(float* rows) {
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

}  // namespace

Hadamard::Hadamard(std::uint64_t seed) {
  const std::uint32_t bits = RandomBits(seed, 0x5169).at(0);
  for (std::size_t i = 0; i < kSize; ++i) signs_[i] = (bits >> i) & 1u ? -1.0F : 1.0F;
}

void Hadamard::forward_columns(float* values, std::size_t stride, std::size_t count) const {
  alignas(64) std::array<float, kSize * kBatch> rows{};
  for (std::size_t c = 0; c < count; c += kBatch) {
    const std::size_t width = count - c < kBatch ? count - c : kBatch;
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t j = 0; j < width; ++j) rows[i * kBatch + j] = values[i * stride + c + j] * (signs_[i] * 0.25F);
    }
    butterflies(rows.data());
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t j = 0; j < width; ++j) values[i * stride + c + j] = rows[i * kBatch + j];
    }
  }
}

void Hadamard::forward_rows(float* values, std::size_t count) const {
  alignas(64) std::array<float, kSize * kBatch> rows{};
  for (std::size_t c = 0; c < count; c += kBatch) {
    const std::size_t width = count - c < kBatch ? count - c : kBatch;
    float* const groups = values + c * kSize;
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = 0; i < kSize; ++i) rows[i * kBatch + j] = groups[j * kSize + i] * (signs_[i] * 0.25F);
    }
    butterflies(rows.data());
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = 0; i < kSize; ++i) groups[j * kSize + i] = rows[i * kBatch + j];
    }
  }
}

void Hadamard::inverse(float* values) const {
  alignas(64) std::array<float, kSize * kBatch> rows{};
  for (std::size_t i = 0; i < kSize; ++i) rows[i * kBatch] = values[i];
  butterflies(rows.data());
  for (std::size_t i = 0; i < kSize; ++i) values[i] = rows[i * kBatch] * (signs_[i] * 0.25F);
}

}  // namespace binade::scaled
