// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/strided.h"

#include <cstddef>
#include <cstdint>

namespace binade::scaled {

/// Direction of neighbouring values in a tile: that of the view's stride 1, so that memory is read in order.
enum class Lanes : std::uint8_t {
  kColumns,  ///< a line is a part of a row
  kRows,     ///< a line is a part of a column
};

/// A rectangle of a matrix as float32: `lines` lines of `lanes` values, each line `stride` values after the last. Lanes
/// from `lanes` to `stride` are padding of 0. Does not own its values.
struct Tile {
  Lanes direction = Lanes::kColumns;
  std::int64_t row = 0;     ///< of the first value in the view
  std::int64_t column = 0;  ///< of the first value in the view
  std::size_t lines = 0;
  std::size_t lanes = 0;
  std::size_t stride = 0;
  float* values = nullptr;
};

/// Lines of float32 values in memory: that of a tile, or that of a view, which saves copies. Does not own them.
template <class Value>
struct Lines {
  Value* first = nullptr;
  std::int64_t step = 0;  ///< from a line to the next, in values

  Value* operator[](std::size_t line) const { return first + static_cast<std::int64_t>(line) * step; }
};

/// The lines of a tile in the memory of a view, if its values are float32, lie one after the other and need no padding.
/// Otherwise `first` is null: load() and store() copy them.
Lines<const float> lines_in(const InputView& view, const Tile& tile);
Lines<float> lines_in(const OutputView& view, const Tile& tile);

/// Reads a tile's values from a view.
void load(const InputView& from, const Tile& tile);

/// Writes a tile's values to a view, rounded to nearest even where it is not float32.
void store(const Tile& tile, const OutputView& to);

/// float32 patterns of the largest magnitude of each lane of a tile, padding included: NaN is larger than infinity.
void largest_of_lanes(const Lines<const float>& from, const Tile& tile, std::uint32_t* largest);

/// float32 pattern of the largest of `count` magnitudes.
std::uint32_t largest_of(const float* values, std::size_t count);

}  // namespace binade::scaled
