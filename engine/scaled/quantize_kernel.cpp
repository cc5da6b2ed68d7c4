// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/quantize_kernel.h"

#include "engine/formats/clones.h"
#include "engine/scaled/element_rounding.h"
#include "engine/scaled/scale_rules.h"

#include <algorithm>

namespace binade::scaled {

namespace {

template <std::size_t kLength>
inline void reduce(std::uint32_t* largest, std::size_t segments) {
  for (std::size_t s = 0; s < segments; ++s) {
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < kLength; ++i) most = std::max(most, largest[s * kLength + i]);
    largest[s] = most;
  }
}

template <std::size_t kLength>
inline void spread(const float* __restrict segments, float* __restrict lanes, std::size_t count) {
  for (std::size_t s = 0; s < count; ++s) {
    for (std::size_t i = 0; i < kLength; ++i) lanes[s * kLength + i] = segments[s];
  }
}

/// Lane magnitudes become segment magnitudes.
BINADE_CLONES void reduce_segments(std::uint32_t* largest, std::size_t segments, std::size_t length) {
  if (length == 16) reduce<16>(largest, segments);
  if (length == 32) reduce<32>(largest, segments);
  if (length == 128) reduce<128>(largest, segments);
}

BINADE_CLONES void spread_segments(const float* segments, float* lanes, std::size_t count, std::size_t length) {
  if (length == 1) spread<1>(segments, lanes, count);
  if (length == 16) spread<16>(segments, lanes, count);
  if (length == 32) spread<32>(segments, lanes, count);
  if (length == 128) spread<128>(segments, lanes, count);
}

template <class Rule>
inline void apply_rule(const Rule& rule, const Scale& tensor, std::size_t segments, TileScales& scales) {
  const std::uint32_t* __restrict largest = scales.largest.data();
  float* __restrict multiply = scales.segment_multiply.data();
  float* __restrict restore = scales.segment_restore.data();
  std::uint8_t* __restrict codes = scales.codes.data();
  for (std::size_t s = 0; s < segments; ++s) {
    BlockScale scale;
    rule.apply(largest[s], tensor, scale);
    multiply[s] = scale.multiply;
    restore[s] = scale.restore;
    codes[s] = scale.code;
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

BINADE_CLONES void round_line(float* __restrict line, const float* __restrict multiply, const float* __restrict restore,
                              std::size_t count, const ElementRounding& rounding) {
  const ElementRounding copy = rounding;
  for (std::size_t i = 0; i < count; ++i) line[i] = copy.nearest(line[i] * multiply[i]) * restore[i];
}

BINADE_CLONES void draw_line(float* __restrict line, const float* __restrict multiply, const float* __restrict restore,
                             std::size_t count, const ElementRounding& rounding, const TileDraws& draws,
                             std::uint32_t first) {
  const ElementRounding copy = rounding;
  const RandomBits::Keys keys = draws.keys;
  const std::uint32_t step = draws.lane_step;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t draw = RandomBits::mix(first + static_cast<std::uint32_t>(i) * step, keys);
    line[i] = copy.stochastic(line[i] * multiply[i], draw) * restore[i];
  }
}

}  // namespace

void set_scales(const Scale& scale, std::size_t lanes, TileScales& scales) {
  std::fill_n(scales.multiply.begin(), lanes, scale.multiply);
  std::fill_n(scales.restore.begin(), lanes, scale.restore);
}

void find_scales(const ScaledFormat& format, const Tile& tile, std::size_t segment, const Scale& tensor,
                 TileScales& scales) {
  largest_of_lanes(tile, scales.largest.data());
  const std::size_t segments = tile.stride / segment;
  if (segment > 1) reduce_segments(scales.largest.data(), segments, segment);
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
  spread_segments(scales.segment_multiply.data(), scales.multiply.data(), segments, segment);
  spread_segments(scales.segment_restore.data(), scales.restore.data(), segments, segment);
}

void quantize_nearest(const Tile& tile, Element element, const TileScales& scales) {
  const ElementRounding rounding(element);
  for (std::size_t l = 0; l < tile.lines; ++l) {
    round_line(tile.values + l * tile.stride, scales.multiply.data(), scales.restore.data(), tile.stride, rounding);
  }
}

void quantize_stochastic(const Tile& tile, Element element, const TileScales& scales, const TileDraws& draws) {
  const ElementRounding rounding(element);
  for (std::size_t l = 0; l < tile.lines; ++l) {
    draw_line(tile.values + l * tile.stride, scales.multiply.data(), scales.restore.data(), tile.stride, rounding,
              draws, draws.first + static_cast<std::uint32_t>(l) * draws.line_step);
  }
}

}  // namespace binade::scaled
