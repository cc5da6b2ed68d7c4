// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <array>
#include <vector>

namespace binade::formats {

/// Four rows of four, row by row.
using Tile = std::array<float, 16>;

/// One multiply-accumulate of a tile: `sum` is element (row, column) of D after `a` × `b` was added.
struct TileStep {
  int row = 0;
  int column = 0;
  int k = 0;
  float a = 0;
  float b = 0;
  float product = 0;
  float sum = 0;
};

/// What a tensor core computes at a time, D = A · B + C on 4 × 4 tiles, as Volta's do: operands are rounded to
/// `operands`, products are exact in float32, sums are kept in `sums`. Hardware aligns and adds four products at once
/// and truncates; this adds one after the other and rounds to nearest, which differs in the last bit.
struct TileProduct {
  Tile d;                       ///< in `sums`
  std::vector<TileStep> steps;  ///< 64, in the order in which a person follows them: element by element
};
TileProduct multiply_tiles(const Tile& a, const Tile& b, const Tile& c, const Format& operands = kFloat16,
                           const Format& sums = kFloat32);

}  // namespace binade::formats
