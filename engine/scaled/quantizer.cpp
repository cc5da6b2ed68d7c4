// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/quantizer.h"

#include "engine/scaled/quantize_kernel.h"
#include "engine/scaled/record.h"
#include "engine/scaled/tile.h"

#include <algorithm>
#include <bit>

namespace binade::scaled {

namespace {

/// Values of a tile that fit the first cache beside their scales.
constexpr std::size_t kTileValues = 4096;

std::size_t blocks_over(std::int64_t size, int block) {
  return static_cast<std::size_t>((size + block - 1) / block);
}

/// How a view is divided into tiles: `lines` and `lanes` are multiples of what a block needs.
struct Plan {
  Lanes direction = Lanes::kColumns;
  std::size_t lines = 1;
  std::size_t lanes = kMaxLanes;
  std::size_t segment = 0;  ///< lanes of a block; 0 if the tensor has one scale
  std::size_t unit = 1;     ///< the stride of a tile is a multiple of it

  Plan(const ScaledFormat& format, const InputView& view) {
    const bool by_columns = view.column_stride == 1 && (view.row_stride != 1 || view.columns >= view.rows);
    direction = !by_columns && view.row_stride == 1 ? Lanes::kRows : Lanes::kColumns;
    const bool columns = direction == Lanes::kColumns;
    if (format.scaling == Scaling::kBlocks) {
      lines = static_cast<std::size_t>(columns ? format.block.rows : format.block.length);
      segment = static_cast<std::size_t>(columns ? format.block.length : format.block.rows);
      unit = segment;
    } else {
      const std::size_t group = format.transform ? Hadamard::kSize : 1;
      lines = columns ? 1 : std::max<std::size_t>(group, 4);
      unit = columns ? group : 1;
    }
    lanes = std::min(kMaxLanes, std::max(unit, kTileValues / lines / unit * unit));
  }
};

/// Calls `use` for each tile of some rows, in an order in which memory is read in order.
template <class Use>
void for_each_tile(const Plan& plan, const InputView& view, RowRange rows, std::vector<float>& values, const Use& use) {
  values.resize(plan.lines * plan.lanes);
  Tile tile{.direction = plan.direction, .values = values.data()};
  const bool columns = plan.direction == Lanes::kColumns;
  const std::int64_t first_line = columns ? rows.first : 0;
  const std::int64_t last_line = columns ? rows.last : view.columns;
  const std::int64_t first_lane = columns ? 0 : rows.first;
  const std::int64_t last_lane = columns ? view.columns : rows.last;
  for (std::int64_t line = first_line; line < last_line; line += static_cast<std::int64_t>(plan.lines)) {
    for (std::int64_t lane = first_lane; lane < last_lane; lane += static_cast<std::int64_t>(plan.lanes)) {
      tile.row = columns ? line : lane;
      tile.column = columns ? lane : line;
      tile.lines = std::min(plan.lines, static_cast<std::size_t>(last_line - line));
      tile.lanes = std::min(plan.lanes, static_cast<std::size_t>(last_lane - lane));
      tile.stride = (tile.lanes + plan.unit - 1) / plan.unit * plan.unit;
      use(tile);
    }
  }
}

/// Transforms the whole groups of 16 along the contracted dimension. Tiles begin at such a group.
void transform_tile(const Hadamard& hadamard, const Tile& tile) {
  if (tile.direction == Lanes::kColumns) {
    for (std::size_t l = 0; l < tile.lines; ++l) {
      hadamard.forward_rows(tile.values + l * tile.stride, tile.lanes / Hadamard::kSize);
    }
  } else {
    for (std::size_t l = 0; l + Hadamard::kSize <= tile.lines; l += Hadamard::kSize) {
      hadamard.forward_columns(tile.values + l * tile.stride, tile.stride, tile.lanes);
    }
  }
}

/// The lines of a tile in its own memory.
Lines<float> lines_of(const Tile& tile) {
  return {tile.values, static_cast<std::int64_t>(tile.stride)};
}

/// A copy of the lines of a tile, one after the other.
std::vector<float> packed(const Lines<const float>& from, const Tile& tile) {
  std::vector<float> values;
  values.reserve(tile.lines * tile.stride);
  for (std::size_t l = 0; l < tile.lines; ++l) values.insert(values.end(), from[l], from[l] + tile.stride);
  return values;
}

/// Whether some rows lie one after the other without gaps, in such a way that no block and no group of the transform
/// reaches from one row into the next: then they can be quantized as one row.
bool is_one_row(const ScaledFormat& format, const InputView& from, std::int64_t row_stride,
                std::int64_t column_stride) {
  if (from.column_stride != 1 || from.row_stride != from.columns) return false;
  if (column_stride != 1 || row_stride != from.columns || format.block.rows != 1) return false;
  return from.columns % format.block.length == 0 && (!format.transform || from.columns % Hadamard::kSize == 0);
}

InputView as_one_row(const InputView& from, RowRange rows) {
  InputView view = from;
  const std::int64_t skipped = rows.first * from.columns;
  view.data = static_cast<const char*>(from.data) + skipped * size_of(from.storage);
  view.rows = 1;
  view.columns = (rows.last - rows.first) * from.columns;
  view.row_stride = view.columns;
  view.first = from.first + skipped;
  return view;
}

bool is_empty(const InputView& from, RowRange rows) {
  return from.columns <= 0 || rows.first >= rows.last;
}

}  // namespace

Codes::Codes(const ScaledFormat& format, std::int64_t rows, std::int64_t columns) {
  elements.resize(static_cast<std::size_t>(rows * columns));
  std::size_t blocks = 1;
  block_columns = 1;
  if (format.scaling == Scaling::kBlocks) {
    const std::size_t across = blocks_over(columns, format.block.length);
    block_columns = static_cast<std::int64_t>(across);
    blocks = across * blocks_over(rows, format.block.rows);
  }
  scales.resize(blocks);
  if (format.scale == ScaleFormat::kE8M0 || format.scale == ScaleFormat::kE4M3) scale_codes.resize(blocks);
}

Quantizer::Quantizer(const ScaledFormat& format, const RandomBits& random, std::uint64_t sign_seed)
    : format_(format), random_(random) {
  if (format.transform) transform_.emplace(sign_seed);
}

Lines<const float> Quantizer::source(const InputView& view, const Tile& tile) const {
  if (!transform_) {
    const Lines<const float> direct = lines_in(view, tile);
    if (direct.first != nullptr) return direct;
  }
  load(view, tile);
  if (transform_) transform_tile(*transform_, tile);
  return {tile.values, static_cast<std::int64_t>(tile.stride)};
}

float Quantizer::largest(const InputView& from, RowRange rows) const {
  if (is_empty(from, rows)) return 0;
  InputView view = from;
  if (is_one_row(format_, from, from.row_stride, from.column_stride)) {
    view = as_one_row(from, rows);
    rows = {0, 1};
  }
  const Plan plan(format_, view);
  std::uint32_t largest = 0;
  if (!transform_ && view.storage == Storage::kFloat32 && view.column_stride == 1) {
    for (std::int64_t row = rows.first; row < rows.last; ++row) {
      const float* values = static_cast<const float*>(view.data) + row * view.row_stride;
      largest = std::max(largest, largest_of(values, static_cast<std::size_t>(view.columns)));
    }
    return std::bit_cast<float>(largest);
  }
  std::vector<float> values;
  for_each_tile(plan, view, rows, values, [&](const Tile& tile) {
    const Lines<const float> lines = source(view, tile);
    for (std::size_t l = 0; l < tile.lines; ++l) largest = std::max(largest, largest_of(lines[l], tile.stride));
  });
  return std::bit_cast<float>(largest);
}

float Quantizer::transform(const InputView& from, const OutputView& to, RowRange rows) const {
  if (is_empty(from, rows)) return 0;
  std::uint32_t largest = 0;
  std::vector<float> values;
  for_each_tile(Plan(format_, from), from, rows, values, [&](const Tile& tile) {
    load(from, tile);
    if (transform_) transform_tile(*transform_, tile);
    largest = std::max(largest, largest_of(tile.values, tile.lines * tile.stride));
    store(tile, to);
  });
  return std::bit_cast<float>(largest);
}

Quantizer Quantizer::without_transform() const {
  Quantizer result = *this;
  result.format_.transform = false;
  result.transform_.reset();
  return result;
}

void Quantizer::operator()(const InputView& from, const OutputView& to, RowRange rows, const Scale& tensor,
                           const Detail& detail) const {
  if (is_empty(from, rows)) return;
  InputView view = from;
  OutputView out = to;
  CodePlace place{.columns = from.columns};
  if (detail.codes != nullptr) place.block_columns = detail.codes->block_columns;
  if (is_one_row(format_, from, to.row_stride, to.column_stride)) {
    view = as_one_row(from, rows);
    place.element = rows.first * from.columns;
    place.block = place.element / format_.block.length;
    out.data = static_cast<char*>(to.data) + place.element * size_of(to.storage);
    rows = {0, 1};
  }
  const Plan plan(format_, view);
  const bool columns = plan.direction == Lanes::kColumns;
  const ElementRounding rounding(format_.element);
  const std::size_t segment = std::max<std::size_t>(plan.segment, 1);
  TileScales scales;
  if (plan.segment == 0) set_scales(tensor, plan.lanes, scales);
  TileDraws draws{.keys = random_.keys(),
                  .line_step = static_cast<std::uint32_t>(columns ? view.columns : 1),
                  .lane_step = static_cast<std::uint32_t>(columns ? 1 : view.columns)};
  const auto quantize = [&](const Tile& tile, const Lines<const float>& in, const Lines<float>& result,
                            const TileScales& with) {
    if (format_.rounding == Rounding::kNearest) {
      quantize_nearest(in, result, tile, rounding, segment, with);
    } else {
      draws.first = static_cast<std::uint32_t>(view.first + tile.row * view.columns + tile.column);
      quantize_stochastic(in, result, tile, rounding, segment, with, draws);
    }
  };
  std::vector<float> values;
  for_each_tile(plan, view, rows, values, [&](const Tile& tile) {
    const Lines<const float> in = source(view, tile);
    if (plan.segment != 0) find_scales(format_, in, tile, plan.segment, tensor, scales);
    if (detail.codes != nullptr || detail.stats != nullptr) {
      if (plan.segment != 0) describe_scales(format_, tile, plan.segment, tensor, scales);
      const std::vector<float> original = packed(in, tile);
      std::vector<float> elements(original.size());
      TileScales unrestored = scales;
      unrestored.segment_restore.fill(1.0F);
      quantize(tile, in, {elements.data(), static_cast<std::int64_t>(tile.stride)}, unrestored);
      record(format_, tile, original, elements, plan.segment, scales, place, detail);
    }
    const Lines<float> direct = lines_in(out, tile);
    if (direct.first != nullptr) return quantize(tile, in, direct, scales);
    quantize(tile, in, lines_of(tile), scales);
    store(tile, out);
  });
}

void Quantizer::whole(const InputView& from, const OutputView& to, const Detail& detail) const {
  const RowRange rows{0, from.rows};
  const Scale scale = format_.needs_largest() ? tensor_scale(format_, largest(from, rows)) : Scale{};
  (*this)(from, to, rows, scale, detail);
}

}  // namespace binade::scaled
