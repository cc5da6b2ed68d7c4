// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/record.h"

#include "engine/formats/format.h"

#include <algorithm>
#include <cmath>

namespace binade::scaled {

namespace {

/// Magnitude from which a value saturates: half a step above the largest value. What lies between rounds to the largest
/// value as any other value rounds to its neighbour. 7 for E2M1, 464 for E4M3.
float saturates_from(Element element) {
  const ElementLayout& of = layout(element);
  return of.largest + std::ldexp(0.5F, of.emax - of.mantissa_bits);
}

/// Counts of one block, for the statistics of blocks.
struct BlockCounts {
  float largest = 0;
  float second = 0;  ///< second largest magnitude
  std::uint64_t non_zero = 0;
  std::uint64_t to_zero = 0;
  bool finite = true;

  void add(float magnitude, bool became_zero) {
    if (magnitude == 0) return;
    ++non_zero;
    if (became_zero) ++to_zero;
    second = std::max(second, std::min(magnitude, largest));
    largest = std::max(largest, magnitude);
  }
};

/// Counts one value. `element` is what it was rounded to; `limit` is saturates_from() of the format.
void count_value(float value, float element, float multiply, float restore, float limit, BlockCounts& block,
                 BlockStats& stats) {
  ++stats.values;
  if (!std::isfinite(value)) {
    ++stats.non_finite;
    block.finite = false;
    return;
  }
  const float magnitude = std::fabs(value);
  stats.largest = std::max(stats.largest, magnitude);
  const bool became_zero = magnitude != 0 && element * restore == 0;  // a scale may be too small for float32
  block.add(magnitude, became_zero);
  if (magnitude != 0) ++stats.non_zero;
  if (became_zero) ++stats.to_zero;
  if (magnitude * multiply >= limit) ++stats.saturated;
  const double exact = value;
  const double difference = static_cast<double>(element * restore) - exact;
  stats.signal += exact * exact;
  // A block with infinity or NaN may lose its finite values too; their difference is no noise of rounding.
  if (std::isfinite(difference)) {
    stats.noise += difference * difference;
    stats.error += difference;
  }
}

void count_block(const BlockCounts& block, float restore, BlockStats& stats) {
  ++stats.blocks;
  if (block.non_zero == 0 && block.finite) {
    ++stats.zero_blocks;
    return;
  }
  if (block.non_zero > 0 && block.to_zero == block.non_zero) ++stats.dead_blocks;
  if (block.second > 0 && block.largest >= BlockStats::kOutlierRatio * block.second) ++stats.outlier_blocks;
  if (std::isfinite(restore) && restore != 0) {
    ++stats.scales[static_cast<std::size_t>(formats::binade(restore) - BlockStats::kFirstBinade)];
  }
}

/// Position of a tile's value in the view.
struct Position {
  std::int64_t row;
  std::int64_t column;
};

Position position(const Tile& tile, std::size_t line, std::size_t lane) {
  const auto l = static_cast<std::int64_t>(line);
  const auto i = static_cast<std::int64_t>(lane);
  if (tile.direction == Lanes::kColumns) return {tile.row + l, tile.column + i};
  return {tile.row + i, tile.column + l};
}

}  // namespace

void record(const ScaledFormat& format, const Tile& tile, const std::vector<float>& original,
            const std::vector<float>& elements, std::size_t segment, const TileScales& scales, const CodePlace& place,
            const Detail& detail) {
  const float limit = saturates_from(format.element);
  const std::size_t width = segment == 0 ? tile.stride : segment;
  for (std::size_t start = 0; start < tile.lanes; start += width) {
    BlockCounts block;
    const std::size_t end = std::min(start + width, tile.lanes);
    for (std::size_t line = 0; line < tile.lines; ++line) {
      for (std::size_t lane = start; lane < end; ++lane) {
        const std::size_t at = line * tile.stride + lane;
        if (detail.stats != nullptr) {
          count_value(original[at], elements[at], scales.multiply[lane], scales.restore[lane], limit, block,
                      *detail.stats);
        }
        if (detail.codes != nullptr) {
          const Position where = position(tile, line, lane);
          const std::int64_t code = place.element + where.row * place.columns + where.column;
          detail.codes->elements[static_cast<std::size_t>(code)] = encode(elements[at], format.element);
        }
      }
    }
    if (segment == 0) {
      if (detail.codes != nullptr) detail.codes->scales[0] = scales.restore[0];
      continue;
    }
    if (detail.stats != nullptr) count_block(block, scales.restore[start], *detail.stats);
    if (detail.codes != nullptr) {
      const Position where = position(tile, 0, start);
      const auto at = static_cast<std::size_t>(place.block + where.row / format.block.rows * place.block_columns +
                                               where.column / format.block.length);
      detail.codes->scales[at] = scales.restore[start];
      if (!detail.codes->scale_codes.empty()) detail.codes->scale_codes[at] = scales.codes[start / segment];
    }
  }
}

}  // namespace binade::scaled
