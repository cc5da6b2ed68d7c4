// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/tile.h"

#include "engine/formats/clones.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace binade::scaled {

namespace {

constexpr std::uint32_t kMagnitude = 0x7fffffffu;
constexpr std::uint32_t kInfinity = 0x7f800000u;

inline float widen_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Without branches; formats::float16_value gives the same values.
inline float widen_float16(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffu;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const float subnormal = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24F;
  const std::uint32_t endless = magnitude >= 0x7c00u ? 112u << 23 : 0u;
  const std::uint32_t wide = (magnitude << 13) + (112u << 23) + endless;
  const std::uint32_t below = magnitude < 0x0400u ? ~0u : 0u;
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(subnormal) & below) | (wide & ~below) | sign);
}

inline std::uint16_t narrow_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  const std::uint32_t nan = (bits & kMagnitude) > kInfinity ? ~0u : 0u;
  return static_cast<std::uint16_t>((((bits | 0x00400000u) & nan) | (rounded & ~nan)) >> 16);
}

/// Lines of neighbouring halves, with their distances in values.
struct Halves {
  const std::uint16_t* from;
  std::int64_t from_step;
  float* to;
  std::size_t to_step;
  std::size_t lines;
  std::size_t lanes;
};

template <class Widen>
inline void widen_lines(const Halves& halves, const Widen& widen) {
  for (std::size_t l = 0; l < halves.lines; ++l) {
    const std::uint16_t* __restrict from = halves.from + static_cast<std::int64_t>(l) * halves.from_step;
    float* __restrict to = halves.to + l * halves.to_step;
    for (std::size_t i = 0; i < halves.lanes; ++i) to[i] = widen(from[i]);
  }
}

// One call for the lines of a tile: they may be short.
BINADE_CLONES void widen_all_bfloat16(const Halves& halves) {
  const Halves copy = halves;
  widen_lines(copy, [](std::uint16_t bits) { return widen_bfloat16(bits); });
}

BINADE_CLONES void widen_all_float16(const Halves& halves) {
  const Halves copy = halves;
  widen_lines(copy, [](std::uint16_t bits) { return widen_float16(bits); });
}

BINADE_CLONES void narrow_all_bfloat16(const float* __restrict from, std::uint16_t* __restrict to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = narrow_bfloat16(from[i]);
}

BINADE_CLONES void raise_lanes(const Lines<const float>& from, std::size_t lines, std::uint32_t* __restrict largest,
                               std::size_t count) {
  const Lines<const float> copy = from;
  for (std::size_t l = 0; l < lines; ++l) {
    const float* __restrict line = copy[l];
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(line[i]) & kMagnitude;
      largest[i] = largest[i] > magnitude ? largest[i] : magnitude;
    }
  }
}

BINADE_CLONES std::uint32_t largest_magnitude(const float* values, std::size_t count) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(values[i]) & kMagnitude;
    largest = largest > magnitude ? largest : magnitude;
  }
  return largest;
}

/// Reads one line, whose values are `step` elements apart.
void read_line(const void* data, Storage storage, std::int64_t at, std::int64_t step, float* to, std::size_t count) {
  const auto* words = static_cast<const float*>(data) + at;
  const auto* halves = static_cast<const std::uint16_t*>(data) + at;
  if (storage == Storage::kFloat32) {
    if (step == 1) {
      std::memcpy(to, words, count * sizeof(float));
    } else {
      for (std::size_t i = 0; i < count; ++i, words += step) to[i] = *words;
    }
  } else {
    for (std::size_t i = 0; i < count; ++i, halves += step) {
      to[i] = storage == Storage::kBFloat16 ? widen_bfloat16(*halves) : widen_float16(*halves);
    }
  }
}

/// Writes one line, whose values are `step` elements apart.
void write_line(const float* from, void* data, Storage storage, std::int64_t at, std::int64_t step, std::size_t count) {
  auto* words = static_cast<float*>(data) + at;
  auto* halves = static_cast<std::uint16_t*>(data) + at;
  if (storage == Storage::kFloat32) {
    if (step == 1) {
      std::memcpy(words, from, count * sizeof(float));
    } else {
      for (std::size_t i = 0; i < count; ++i, words += step) *words = from[i];
    }
  } else if (step == 1) {
    narrow_all_bfloat16(from, halves, count);
  } else {
    for (std::size_t i = 0; i < count; ++i, halves += step) *halves = narrow_bfloat16(from[i]);
  }
}

}  // namespace

Lines<const float> lines_in(const InputView& view, const Tile& tile) {
  const bool columns = tile.direction == Lanes::kColumns;
  const std::int64_t lane_step = columns ? view.column_stride : view.row_stride;
  if (view.storage != Storage::kFloat32 || lane_step != 1 || tile.lanes != tile.stride) return {};
  const std::int64_t at = tile.row * view.row_stride + tile.column * view.column_stride;
  return {static_cast<const float*>(view.data) + at, columns ? view.row_stride : view.column_stride};
}

Lines<float> lines_in(const OutputView& view, const Tile& tile) {
  const bool columns = tile.direction == Lanes::kColumns;
  const std::int64_t lane_step = columns ? view.column_stride : view.row_stride;
  if (view.storage != Storage::kFloat32 || lane_step != 1 || tile.lanes != tile.stride) return {};
  const std::int64_t at = tile.row * view.row_stride + tile.column * view.column_stride;
  return {static_cast<float*>(view.data) + at, columns ? view.row_stride : view.column_stride};
}

void load(const InputView& from, const Tile& tile) {
  const bool columns = tile.direction == Lanes::kColumns;
  const std::int64_t lane_step = columns ? from.column_stride : from.row_stride;
  const std::int64_t line_step = columns ? from.row_stride : from.column_stride;
  std::int64_t at = tile.row * from.row_stride + tile.column * from.column_stride;
  for (std::size_t i = 0; i < tile.lines; ++i) {
    float* const line = tile.values + i * tile.stride;
    std::fill(line + tile.lanes, line + tile.stride, 0.0F);
  }
  if (from.storage != Storage::kFloat32 && lane_step == 1) {
    const Halves halves{.from = static_cast<const std::uint16_t*>(from.data) + at,
                        .from_step = line_step,
                        .to = tile.values,
                        .to_step = tile.stride,
                        .lines = tile.lines,
                        .lanes = tile.lanes};
    return from.storage == Storage::kBFloat16 ? widen_all_bfloat16(halves) : widen_all_float16(halves);
  }
  float* line = tile.values;
  for (std::size_t i = 0; i < tile.lines; ++i, at += line_step, line += tile.stride) {
    read_line(from.data, from.storage, at, lane_step, line, tile.lanes);
  }
}

void store(const Tile& tile, const OutputView& to) {
  const bool columns = tile.direction == Lanes::kColumns;
  const std::int64_t lane_step = columns ? to.column_stride : to.row_stride;
  const std::int64_t line_step = columns ? to.row_stride : to.column_stride;
  std::int64_t at = tile.row * to.row_stride + tile.column * to.column_stride;
  const float* line = tile.values;
  for (std::size_t i = 0; i < tile.lines; ++i, at += line_step, line += tile.stride) {
    write_line(line, to.data, to.storage, at, lane_step, tile.lanes);
  }
}

void largest_of_lanes(const Lines<const float>& from, const Tile& tile, std::uint32_t* largest) {
  std::fill(largest, largest + tile.stride, 0u);
  raise_lanes(from, tile.lines, largest, tile.stride);
}

std::uint32_t largest_of(const float* values, std::size_t count) {
  return largest_magnitude(values, count);
}

}  // namespace binade::scaled
