// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <array>
#include <vector>

namespace binade::formats {

/// A 4 × 4 matrix, row by row.
using Tile = std::array<float, 16>;

/// One multiply-accumulate: `sum` is element (row, column) of D after `a` × `b` was added.
struct TileStep {
  int row = 0;
  int column = 0;
  int k = 0;
  float a = 0;
  float b = 0;
  float product = 0;
  float sum = 0;
};

/// Result of multiply_tiles().
struct TileProduct {
  Tile d;                       ///< rounded to `sums`
  std::vector<TileStep> steps;  ///< 64 steps, element by element of D, k ascending
};

/// Simulates one tensor-core operation, D = A · B + C on 4 × 4 tiles as on Volta. Operands are rounded to `operands`,
/// products are exact in float32, sums are rounded to `sums`. Hardware aligns and adds four products at once and
/// truncates; this adds one by one and rounds to nearest, so the last bit can differ.
TileProduct multiply_tiles(const Tile& a, const Tile& b, const Tile& c, const Format& operands = kFloat16,
                           const Format& sums = kFloat32);

}  // namespace binade::formats
