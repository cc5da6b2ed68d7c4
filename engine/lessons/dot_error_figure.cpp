// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/format.h"
#include "engine/lessons/draws.h"
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <cmath>
#include <string>
#include <utility>

namespace binade::lessons {

namespace {

/// Squared relative errors of one dot product at length 1, 2, 4, …, added up over several.
struct DotErrors {
  std::vector<double> narrow;
  std::vector<double> wide;
  std::vector<double> stored;
};

double squared_error(double value, double exact) {
  return (value - exact) * (value - exact) / (exact * exact);
}

/// Operands are uniform in [0, 1). Products are exact in float32 for formats of up to 11 significant bits, and sums are
/// rounded as in formats::multiply_tiles.
void add_one_dot(Draws& draws, int length, const formats::Format& format, DotErrors& errors) {
  float narrow = 0;
  float wide = 0;
  double exact = 0;
  std::size_t power = 0;
  for (int k = 1; k <= length; ++k) {
    const float a = formats::round(static_cast<float>(draws.uniform()), format);
    const float b = formats::round(static_cast<float>(draws.uniform()), format);
    narrow = formats::round(narrow + a * b, format);
    wide += a * b;
    exact += static_cast<double>(a) * static_cast<double>(b);
    if (k != 1 << power) continue;
    if (errors.narrow.size() == power) {
      errors.narrow.push_back(0);
      errors.wide.push_back(0);
      errors.stored.push_back(0);
    }
    errors.narrow[power] += squared_error(static_cast<double>(narrow), exact);
    errors.wide[power] += squared_error(static_cast<double>(wide), exact);
    errors.stored[power] += squared_error(static_cast<double>(formats::round(wide, format)), exact);
    ++power;
  }
}

Series error_series(std::string title, const std::vector<double>& squares, int dots, const formats::Format& format) {
  Series series{.title = std::move(title), .format = format};
  for (std::size_t power = 0; power < squares.size(); ++power) {
    series.points.push_back({power_of_two(static_cast<int>(power)), 100 * std::sqrt(squares[power] / dots)});
  }
  return series;
}

FigureData dot_error_data(const Parameters& parameters) {
  const formats::Format& format = parameters.format("format");
  const std::string name = formats::name(format);
  const int dots = parameters.count("dots");
  const int length = 1 << parameters.count("log2_length");
  Draws draws(static_cast<std::uint64_t>(parameters.count("seed")));
  DotErrors errors;
  for (int i = 0; i < dots; ++i) add_one_dot(draws, length, format, errors);

  Panel panel;
  panel.x = {"length of the sum", AxisScale::kLog2, 1, length * 1.0};
  panel.y = {"error, %", AxisScale::kLog10, 1e-6, 100};
  panel.series = {error_series(name + " accumulator", errors.narrow, dots, format),
                  error_series("float32 accumulator, stored as " + name, errors.stored, dots, format),
                  error_series("float32 accumulator", errors.wide, dots, formats::kFloat32)};
  panel.series[1].role = Role::kPast;
  const double one_rounding = 100 * power_of_two(-format.mantissa_bits - 1);
  panel.marks.push_back({.at = one_rounding, .label = "one rounding", .on_x = false});
  const double narrow = panel.series[0].points.back().y;
  const double stored = panel.series[1].points.back().y;
  const double wide = panel.series[2].points.back().y;
  const double narrow_short = panel.series[0].points[4].y;

  FigureData data;
  data.title = "Error of a dot product";
  data.panels = {std::move(panel)};
  add_fact(data, "length", length);
  add_fact(data, "narrow_error", narrow, error_text(narrow));
  add_fact(data, "stored_error", stored, error_text(stored));
  add_fact(data, "wide_error", wide, error_text(wide));
  add_fact(data, "narrow_short", narrow_short, error_text(narrow_short));
  add_fact(data, "growth", narrow / narrow_short, number_text(std::round(narrow / narrow_short)));
  add_fact(data, "ratio", narrow / stored, number_text(std::round(narrow / stored)));
  add_fact(data, "one_rounding", one_rounding, error_text(one_rounding));
  data.table.heads = {"length", name + " accumulator", "float32 accumulator, stored as " + name};
  for (std::size_t i = 0; i < errors.narrow.size(); ++i) {
    const Panel& drawn = data.panels.front();
    data.table.rows.push_back({number_text(drawn.series[0].points[i].x), error_text(drawn.series[0].points[i].y),
                               error_text(drawn.series[1].points[i].y)});
  }
  data.text = "Relative error of dot products with operands in " + name + ", root mean square of " + number_text(dots) +
              ". With a " + name + " accumulator it grows from " + error_text(narrow_short) + " at length 16 to " +
              error_text(narrow) + " at length " + number_text(length) +
              ". With a float32 accumulator whose result is stored in " + name + " it is " + error_text(stored) +
              "; one rounding errs by at most " + error_text(one_rounding) + '.';
  return data;
}

}  // namespace

FigureKind dot_error_kind() {
  return {.name = "dot_error",
          .doc = "Error of a dot product against its length, with a narrow and with a float32 accumulator.",
          .parameters = {{.name = "format",
                          .type = ParameterType::kFormat,
                          .preset = "float16",
                          .doc = "Format of the operands and of the narrow accumulator."},
                         {.name = "log2_length",
                          .type = ParameterType::kCount,
                          .preset = "12",
                          .low = 5,
                          .high = 14,
                          .doc = "Exponent of the greatest length."},
                         {.name = "dots",
                          .type = ParameterType::kCount,
                          .preset = "32",
                          .low = 1,
                          .high = 256,
                          .doc = "Number of dot products."},
                         {.name = "seed",
                          .type = ParameterType::kCount,
                          .preset = "1",
                          .high = 1e6,
                          .doc = "Seed of the operands, which are uniform in [0, 1)."}},
          .facts = {{"length", "the greatest length"},
                    {"narrow_error", "error with the narrow accumulator at that length, in percent"},
                    {"stored_error", "error with a float32 accumulator and a result in the format, in percent"},
                    {"wide_error", "error with a float32 accumulator and result, in percent"},
                    {"narrow_short", "error with the narrow accumulator at length 16, in percent"},
                    {"growth", "narrow_error as a multiple of narrow_short"},
                    {"ratio", "narrow_error as a multiple of stored_error"},
                    {"one_rounding", "largest relative error of one rounding, in percent"}},
          .compute = dot_error_data};
}

}  // namespace binade::lessons
