// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <limits>
#include <string>

namespace binade::lessons {

namespace {

FigureData rounding_data(const Parameters& parameters) {
  const std::vector<formats::Format>& all = parameters.formats("formats");
  const std::vector<double>& values = parameters.numbers("values");
  FigureData data;
  data.title = "Rounding to nearest, ties to even";
  data.table.heads = {"value"};
  for (const formats::Format& format : all) {
    data.table.heads.push_back(formats::name(format));
    data.table.heads.emplace_back("bits");
    data.table.heads.emplace_back("error");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    std::vector<std::string> row = {number_text(value)};
    for (const formats::Format& format : all) {
      const std::string name = formats::name(format) + '_' + std::to_string(i + 1);
      const double rounded = held(value, format);
      const double error = error_percent(rounded, value);
      add_fact(data, name, rounded);
      add_fact(data, name + "_bits", rounded, bits_text(rounded, format));
      add_fact(data, name + "_error", error, error_text(error));
      row.insert(row.end(), {number_text(rounded), bits_text(rounded, format), error_text(error)});
      data.text += (data.text.empty() ? "" : " ") + formats::name(format) + " makes " + number_text(rounded) + " of " +
                   number_text(value) + '.';
    }
    data.table.rows.push_back(std::move(row));
  }
  return data;
}

}  // namespace

FigureKind rounding_kind() {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  return {
      .name = "rounding",
      .doc = "A table of values and of the numbers that formats hold in their place.",
      .parameters =
          {{.name = "values",
            .type = ParameterType::kNumbers,
            .preset = "65504 65519.996 65520 1e-8",
            .low = -kInfinite,
            .high = kInfinite,
            .most = 16,
            .doc = "The values."},
           {.name = "formats", .type = ParameterType::kFormats, .preset = "float16", .most = 6, .doc = "The formats."}},
      .facts = {{"FORMAT_N", "the Nth value in the format"},
                {"FORMAT_N_bits", "its bit pattern"},
                {"FORMAT_N_error", "relative error in percent"}},
      .compute = rounding_data};
}

}  // namespace binade::lessons
