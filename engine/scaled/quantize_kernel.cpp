// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/quantize_kernel.h"

#include "engine/formats/clones.h"
#include "engine/scaled/scale_rules.h"

#include <algorithm>
#include <bit>

// The iterations of the loop that follows are independent although it may write what it reads.
#if defined(__clang__)
#define BINADE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define BINADE_INDEPENDENT _Pragma("GCC ivdep")
#else
#define BINADE_INDEPENDENT
#endif

namespace binade::scaled {

namespace {

/// Lane magnitudes become segment magnitudes, in the same memory.
template <std::size_t kLength>
inline void reduce(std::uint32_t* largest, std::size_t segments) {
  for (std::size_t s = 0; s < segments; ++s) {
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < kLength; ++i) most = std::max(most, largest[s * kLength + i]);
    largest[s] = most;
  }
}

/// Magnitudes of the segments of one line.
template <std::size_t kLength>
inline void reduce_values(const float* __restrict values, std::uint32_t* __restrict largest, std::size_t segments) {
  for (std::size_t s = 0; s < segments; ++s) {
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < kLength; ++i) {
      most = std::max(most, std::bit_cast<std::uint32_t>(values[s * kLength + i]) & ElementRounding::kMagnitude);
    }
    largest[s] = most;
  }
}

BINADE_CLONES void reduce_segments(std::uint32_t* largest, std::size_t segments, std::size_t length) {
  if (length == 16) reduce<16>(largest, segments);
  if (length == 32) reduce<32>(largest, segments);
  if (length == 128) reduce<128>(largest, segments);
}

BINADE_CLONES void reduce_line(const float* values, std::uint32_t* largest, std::size_t segments, std::size_t length) {
  if (length == 16) reduce_values<16>(values, largest, segments);
  if (length == 32) reduce_values<32>(values, largest, segments);
  if (length == 128) reduce_values<128>(values, largest, segments);
}

template <class Rule>
inline void apply_rule(const Rule& rule, const Scale& tensor, std::size_t segments, TileScales& scales) {
  const std::uint32_t* __restrict largest = scales.largest.data();
  float* __restrict multiply = scales.segment_multiply.data();
  float* __restrict restore = scales.segment_restore.data();
  for (std::size_t s = 0; s < segments; ++s) {
    BlockScale scale;
    rule.apply(largest[s], tensor, scale);
    multiply[s] = scale.multiply;
    restore[s] = scale.restore;
  }
}

BINADE_CLONES void apply_e8m0(const E8m0Rule& rule, const Scale& tensor, std::size_t segments, TileScales& scales) {
  const E8m0Rule copy = rule;
  apply_rule(copy, tensor, segments, scales);
}

BINADE_CLONES void apply_e4m3(const E4m3Rule& rule, const Scale& tensor, std::size_t segments, TileScales& scales) {
  const E4m3Rule copy = rule;
  const Scale copy_of_tensor = tensor;
  apply_rule(copy, copy_of_tensor, segments, scales);
}

BINADE_CLONES void apply_float32(const Float32Rule& rule, const Scale& tensor, std::size_t segments,
                                 TileScales& scales) {
  const Float32Rule copy = rule;
  apply_rule(copy, tensor, segments, scales);
}

template <std::size_t kLength>
inline void round_segments(const float* from, float* to, const float* __restrict multiply,
                           const float* __restrict restore, std::size_t segments, const ElementRounding& rounding) {
  for (std::size_t s = 0; s < segments; ++s) {
    const float* const values = from + s * kLength;
    float* const results = to + s * kLength;
    const float times = multiply[s];
    const float back = restore[s];
    BINADE_INDEPENDENT
    for (std::size_t i = 0; i < kLength; ++i) results[i] = rounding.nearest(values[i] * times) * back;
  }
}

/// Segments of one lane.
template <>
inline void round_segments<1>(const float* from, float* to, const float* __restrict multiply,
                              const float* __restrict restore, std::size_t segments, const ElementRounding& rounding) {
  BINADE_INDEPENDENT
  for (std::size_t i = 0; i < segments; ++i) to[i] = rounding.nearest(from[i] * multiply[i]) * restore[i];
}

/// Lines to round, in memory.
struct Rounded {
  Lines<const float> from;
  Lines<float> to;
  std::size_t lines;
  std::size_t segments;  ///< of a line
  const float* multiply;
  const float* restore;
};

template <std::size_t kLength>
inline void round_lines(const Rounded& all, const ElementRounding& rounding) {
  for (std::size_t l = 0; l < all.lines; ++l) {
    round_segments<kLength>(all.from[l], all.to[l], all.multiply, all.restore, all.segments, rounding);
  }
}

// One call for the lines of a tile: they may be short.
BINADE_CLONES void round_tile(const Rounded& all, std::size_t length, const ElementRounding& rounding) {
  const ElementRounding copy = rounding;
  if (length == 1) round_lines<1>(all, copy);
  if (length == 16) round_lines<16>(all, copy);
  if (length == 32) round_lines<32>(all, copy);
  if (length == 128) round_lines<128>(all, copy);
}

/// Draws of one line: lane i has the index first + i * step.
struct LineDraws {
  RandomBits::Keys keys;
  std::uint32_t first;
  std::uint32_t step;

  inline std::uint32_t at(std::size_t lane) const {
    return RandomBits::mix(first + static_cast<std::uint32_t>(lane) * step, keys);
  }
};

template <std::size_t kLength>
inline void draw_segments(const float* from, float* to, const float* __restrict multiply,
                          const float* __restrict restore, std::size_t segments, const ElementRounding& rounding,
                          const LineDraws& draws) {
  for (std::size_t s = 0; s < segments; ++s) {
    const std::size_t start = s * kLength;
    const float times = multiply[s];
    const float back = restore[s];
    BINADE_INDEPENDENT
    for (std::size_t i = 0; i < kLength; ++i) {
      to[start + i] = rounding.stochastic(from[start + i] * times, draws.at(start + i)) * back;
    }
  }
}

template <>
inline void draw_segments<1>(const float* from, float* to, const float* __restrict multiply,
                             const float* __restrict restore, std::size_t segments, const ElementRounding& rounding,
                             const LineDraws& draws) {
  BINADE_INDEPENDENT
  for (std::size_t i = 0; i < segments; ++i) {
    to[i] = rounding.stochastic(from[i] * multiply[i], draws.at(i)) * restore[i];
  }
}

template <std::size_t kLength>
inline void draw_lines(const Rounded& all, const ElementRounding& rounding, const TileDraws& draws) {
  for (std::size_t l = 0; l < all.lines; ++l) {
    const LineDraws of_line{draws.keys, draws.first + static_cast<std::uint32_t>(l) * draws.line_step, draws.lane_step};
    draw_segments<kLength>(all.from[l], all.to[l], all.multiply, all.restore, all.segments, rounding, of_line);
  }
}

BINADE_CLONES void draw_tile(const Rounded& all, std::size_t length, const ElementRounding& rounding,
                             const TileDraws& draws) {
  const ElementRounding copy = rounding;
  const TileDraws copy_of_draws = draws;
  if (length == 1) draw_lines<1>(all, copy, copy_of_draws);
  if (length == 16) draw_lines<16>(all, copy, copy_of_draws);
  if (length == 32) draw_lines<32>(all, copy, copy_of_draws);
  if (length == 128) draw_lines<128>(all, copy, copy_of_draws);
}

Rounded rounded(const Lines<const float>& from, const Lines<float>& to, const Tile& tile, std::size_t segment,
                const TileScales& scales) {
  return {.from = from,
          .to = to,
          .lines = tile.lines,
          .segments = tile.stride / segment,
          .multiply = scales.segment_multiply.data(),
          .restore = scales.segment_restore.data()};
}

}  // namespace

void set_scales(const Scale& scale, std::size_t lanes, TileScales& scales) {
  for (auto* multiply : {&scales.segment_multiply, &scales.multiply}) {
    std::fill_n(multiply->begin(), lanes, scale.multiply);
  }
  for (auto* restore : {&scales.segment_restore, &scales.restore}) std::fill_n(restore->begin(), lanes, scale.restore);
}

void find_scales(const ScaledFormat& format, const Lines<const float>& from, const Tile& tile, std::size_t segment,
                 const Scale& tensor, TileScales& scales) {
  const std::size_t segments = tile.stride / segment;
  if (segment > 1 && tile.lines == 1) {
    reduce_line(from[0], scales.largest.data(), segments, segment);
  } else {
    largest_of_lanes(from, tile, scales.largest.data());
    if (segment > 1) reduce_segments(scales.largest.data(), segments, segment);
  }
  switch (format.scale) {
    case ScaleFormat::kE8M0:
      apply_e8m0(E8m0Rule(format), tensor, segments, scales);
      break;
    case ScaleFormat::kE4M3:
      apply_e4m3(E4m3Rule(format), tensor, segments, scales);
      break;
    case ScaleFormat::kFloat32:
    case ScaleFormat::kPowerOfTwo:
      apply_float32(Float32Rule(format), tensor, segments, scales);
      break;
  }
}

void describe_scales(const ScaledFormat& format, const Tile& tile, std::size_t segment, const Scale& tensor,
                     TileScales& scales) {
  for (std::size_t s = 0; s < tile.stride / segment; ++s) {
    scales.codes[s] = block_scale(format, std::bit_cast<float>(scales.largest[s]), tensor).code;
    std::fill_n(scales.multiply.begin() + s * segment, segment, scales.segment_multiply[s]);
    std::fill_n(scales.restore.begin() + s * segment, segment, scales.segment_restore[s]);
  }
}

void quantize_nearest(const Lines<const float>& from, const Lines<float>& to, const Tile& tile,
                      const ElementRounding& rounding, std::size_t segment, const TileScales& scales) {
  round_tile(rounded(from, to, tile, segment, scales), segment, rounding);
}

void quantize_stochastic(const Lines<const float>& from, const Lines<float>& to, const Tile& tile,
                         const ElementRounding& rounding, std::size_t segment, const TileScales& scales,
                         const TileDraws& draws) {
  draw_tile(rounded(from, to, tile, segment, scales), segment, rounding, draws);
}

}  // namespace binade::scaled
