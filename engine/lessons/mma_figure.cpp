// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/tile_multiply.h"
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <algorithm>
#include <array>
#include <string>

namespace binade::lessons {

namespace {

formats::Tile tile_of(const std::vector<double>& values) {
  formats::Tile tile{};
  std::transform(values.begin(), values.end(), tile.begin(), [](double value) { return static_cast<float>(value); });
  return tile;
}

std::string element(const char* matrix, int row, int column) {
  return matrix + std::to_string(row + 1) + std::to_string(column + 1);
}

/// D after `steps` steps; an element that is not begun is C.
formats::Tile tile_after(const formats::TileProduct& product, formats::Tile now, std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) {
    const formats::TileStep& step = product.steps[i];
    now[static_cast<std::size_t>(4 * step.row + step.column)] = step.sum;
  }
  return now;
}

formats::Tile tile_in(const formats::Format& format, formats::Tile tile) {
  for (float& value : tile) value = static_cast<float>(held(static_cast<double>(value), format));
  return tile;
}

/// Adds the four rows of a matrix.
void add_matrix(Table& table, const std::string& matrix, const formats::Tile& tile) {
  for (std::size_t row = 0; row < 4; ++row) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(matrix + ", " + std::to_string(row + 1));
    for (std::size_t i = 4 * row; i < 4 * row + 4; ++i) cells.push_back(number_text(static_cast<double>(tile[i])));
  }
}

/// Marks the row of A (first row of the table: 0), the column of B (4) and the element of each D after them.
void mark_step(Table& table, const formats::TileStep& step) {
  const auto row = static_cast<std::size_t>(step.row);
  const auto column = static_cast<std::size_t>(step.column) + 1;
  const auto now = static_cast<std::size_t>(step.k);
  for (std::size_t k = 0; k < 4; ++k) {
    table.marks.push_back({.row = row, .column = k + 1, .strong = k == now});
    table.marks.push_back({.row = 4 + k, .column = column, .strong = k == now});
  }
  for (std::size_t d = 8; d < table.rows.size(); d += 4) {
    table.marks.push_back({.row = d + row, .column = column, .strong = true});
  }
}

/// Marks the elements of D that differ between the float16 sums (rows from 8) and the float32 sums (from 12), unless
/// the present step has marked them.
void mark_differences(Table& table, const formats::Tile& narrow, const formats::Tile& wide) {
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    if (narrow[i] == wide[i]) continue;
    for (const std::size_t first : {std::size_t{8}, std::size_t{12}}) {
      const CellMark mark{.row = first + i / 4, .column = i % 4 + 1};
      const auto same = [&](const CellMark& other) { return other.row == mark.row && other.column == mark.column; };
      if (std::none_of(table.marks.begin(), table.marks.end(), same)) table.marks.push_back(mark);
    }
  }
}

void add_current_step(FigureData& data, const formats::TileProduct& product, std::size_t steps) {
  const formats::TileStep step = steps == 0 ? formats::TileStep{} : product.steps[steps - 1];
  add_fact(data, "a_step", static_cast<double>(step.a));
  add_fact(data, "b_step", static_cast<double>(step.b));
  add_fact(data, "product", static_cast<double>(step.product));
  add_fact(data, "running", static_cast<double>(step.sum));
  if (steps == 0) {
    data.text += " Before the first step, D is C.";
    return;
  }
  data.text += " Step " + std::to_string(steps) + ": " + element("a", step.row, step.k) + " × " +
               element("b", step.k, step.column) + " = " + number_text(static_cast<double>(step.a)) + " × " +
               number_text(static_cast<double>(step.b)) + " = " + number_text(static_cast<double>(step.product)) +
               " is added; " + element("d", step.row, step.column) + " is now " +
               number_text(static_cast<double>(step.sum)) + '.';
}

FigureData mma_data(const Parameters& parameters) {
  const formats::Format& operands = parameters.format("operands");
  const formats::Format& accumulator = parameters.format("accumulator");
  const formats::Tile a = tile_of(parameters.numbers("a"));
  const formats::Tile b = tile_of(parameters.numbers("b"));
  const formats::Tile c = tile_of(parameters.numbers("c"));
  const formats::TileProduct shown = formats::multiply_tiles(a, b, c, operands, accumulator);
  const formats::TileProduct narrow = formats::multiply_tiles(a, b, c, operands, formats::kFloat16);
  const formats::TileProduct wide = formats::multiply_tiles(a, b, c, operands, formats::kFloat32);
  const auto steps = static_cast<std::size_t>(parameters.count("step"));
  int differ = 0;
  FigureData data;
  data.title = "D = A × B + C on 4 × 4 tiles";
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      const auto i = static_cast<std::size_t>(4 * row + column);
      add_fact(data, element("d", row, column), static_cast<double>(shown.d[i]));
      add_fact(data, element("narrow", row, column), static_cast<double>(narrow.d[i]));
      add_fact(data, element("wide", row, column), static_cast<double>(wide.d[i]));
      if (narrow.d[i] != wide.d[i]) ++differ;
    }
  }
  add_fact(data, "steps", static_cast<double>(shown.steps.size()));
  add_fact(data, "differ", differ);
  data.text =
      "A 4 × 4 multiply-accumulate with operands in " + formats::name(operands) + " and sums in " +
      formats::name(accumulator) + ": " + number_text(static_cast<double>(shown.steps.size())) +
      " products are added one by one. " + number_text(differ) +
      " of 16 elements differ between a float16 and a float32 accumulator. The table has D for both, and marks them.";
  add_current_step(data, shown, steps);
  data.table.heads = {"matrix, row", "column 1", "column 2", "column 3", "column 4"};
  add_matrix(data.table, "A", tile_in(operands, a));
  add_matrix(data.table, "B", tile_in(operands, b));
  const auto add_sums = [&](const formats::Format& sums, const formats::TileProduct& product) {
    const formats::Tile now = tile_after(product, tile_in(sums, c), steps);
    add_matrix(data.table, "D " + formats::name(sums), now);
    return now;
  };
  const formats::Tile now_narrow = add_sums(formats::kFloat16, narrow);
  const formats::Tile now_wide = add_sums(formats::kFloat32, wide);
  if (accumulator != formats::kFloat16 && accumulator != formats::kFloat32) add_sums(accumulator, shown);
  if (steps != 0) mark_step(data.table, shown.steps[steps - 1]);
  mark_differences(data.table, now_narrow, now_wide);
  return data;
}

ParameterKind tile_parameter(std::string_view name, std::string_view preset, std::string_view doc) {
  return {.name = name,
          .type = ParameterType::kNumbers,
          .preset = preset,
          .low = -65504,
          .high = 65504,
          .fewest = 16,
          .most = 16,
          .doc = doc};
}

}  // namespace

FigureKind mma_kind() {
  return {
      .name = "mma",
      .doc =
          "A tensor core's 4 × 4 multiply-accumulate D = A × B + C, step by step, with sums in float16 and in float32. "
          "The "
          "table shows A, B and D; the row, the column and the elements of the present step are marked, and the "
          "elements of D that differ. Hardware adds "
          "several products at once, so its last bit can differ.",
      .parameters =
          {tile_parameter("a", "1 2 3 4 2048 1 1 1 0.1 0.2 0.3 0.4 300 300 300 300", "A, row by row."),
           tile_parameter("b", "1 2 0.5 300 1 1 0.25 300 1 -1 0.125 300 1 3 0.0625 300", "B, row by row."),
           tile_parameter("c", "16x0", "C, row by row."),
           {.name = "operands", .type = ParameterType::kFormat, .preset = "float16", .doc = "Format of A and B."},
           {.name = "accumulator",
            .type = ParameterType::kFormat,
            .preset = "float32",
            .doc = "Format of the sums in the text and in the facts `dRC` and `running`."},
           {.name = "step", .type = ParameterType::kCount, .preset = "64", .high = 64, .doc = "Number of steps done."}},
      .slider = {.label = "Step", .parameter = "step", .high = 64},
      .facts = {{"dRC", "element in row R and column C of D after all steps"},
                {"narrowRC", "the same with a float16 accumulator"},
                {"wideRC", "the same with a float32 accumulator"},
                {"steps", "number of products that are added"},
                {"differ", "elements of D that differ between the two accumulators"},
                {"a_step", "element of A in the last step done"},
                {"b_step", "element of B in it"},
                {"product", "their product in float32: exact for float16 operands"},
                {"running", "the sum after it"}},
      .compute = mma_data};
}

}  // namespace binade::lessons
