// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/tile_multiply.h"

namespace binade::formats {

TileProduct multiply_tiles(const Tile& a, const Tile& b, const Tile& c, const Format& operands, const Format& sums) {
  const auto at = [](int row, int column) { return static_cast<std::size_t>(4 * row + column); };
  TileProduct result;
  result.steps.reserve(64);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      float sum = round(c[at(row, column)], sums);
      for (int k = 0; k < 4; ++k) {
        TileStep step{.row = row, .column = column, .k = k};
        step.a = round(a[at(row, k)], operands);
        step.b = round(b[at(k, column)], operands);
        step.product = step.a * step.b;  // exact: the product of two 11-bit significands fits 24 bits
        sum = round(sum + step.product, sums);
        step.sum = sum;
        result.steps.push_back(step);
      }
      result.d[at(row, column)] = sum;
    }
  }
  return result;
}

}  // namespace binade::formats
