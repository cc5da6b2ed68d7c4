// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <algorithm>
#include <string>

namespace binade::lessons {

namespace {

constexpr int kRulerLow = -40;
constexpr int kRulerHigh = 24;  // also ends of parameter and slider

/// Distance of neighbours in a binade; 0 if the format has no number in it.
double spacing_in(int binade, const formats::Format& format) {
  if (binade < format.subnormal_exponent() || binade > format.max_exponent()) return 0;
  return power_of_two(std::max(binade, format.min_exponent()) - format.mantissa_bits);
}

Panel ruler_lengths(const std::vector<formats::Format>& all, int binade) {
  Panel panel;
  panel.title = "Length: the range";
  panel.x = {"magnitude", AxisScale::kLog2, power_of_two(kRulerLow), power_of_two(kRulerHigh)};
  panel.rows = true;
  panel.marks.push_back({.at = power_of_two(binade), .label = "2^" + std::to_string(binade)});
  for (std::size_t row = 0; row < all.size(); ++row) {
    const formats::Format& format = all[row];
    panel.bar_labels.push_back(formats::name(format));
    panel.bars.push_back({.row = row,
                          .from = format.smallest_subnormal(),
                          .to = format.smallest_normal(),
                          .text = number_text(format.smallest_subnormal()),
                          .format = format,
                          .role = Role::kSubnormal});
    panel.bars.push_back({.row = row,
                          .from = format.smallest_normal(),
                          .to = format.largest(),
                          .text = number_text(format.largest()),
                          .format = format,
                          .role = Role::kNormal});
  }
  return panel;
}

Panel ruler_marks_panel(const std::vector<formats::Format>& all, int binade) {
  Panel panel;
  panel.title = "Marks: the distance of neighbours";
  panel.x = {"magnitude", AxisScale::kLog2, power_of_two(kRulerLow), power_of_two(kRulerHigh)};
  panel.y = {"distance", AxisScale::kLog2, power_of_two(-48), power_of_two(16)};
  panel.marks.push_back({.at = power_of_two(binade), .label = "2^" + std::to_string(binade)});
  for (const formats::Format& format : all) {
    Series series{.title = formats::name(format), .format = format, .steps = true};
    for (int each = kRulerLow; each <= kRulerHigh; ++each) {
      series.points.push_back({power_of_two(each), spacing_in(each, format)});
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

FigureData ruler_data(const Parameters& parameters) {
  const std::vector<formats::Format>& all = parameters.formats("formats");
  const int binade = parameters.count("binade");
  const std::string here = number_text(power_of_two(binade));
  FigureData data;
  data.title = "Rulers of number formats";
  data.panels = {ruler_lengths(all, binade), ruler_marks_panel(all, binade)};
  data.table.heads = {"format", "smallest", "largest", "distance at " + here, "numbers a binade"};
  data.text = "A ruler for each format: its length is the range, its marks are the numbers.";
  for (const formats::Format& format : all) {
    const std::string name = formats::name(format);
    const double ulp = spacing_in(binade, format);
    const double marks = power_of_two(format.mantissa_bits);
    const std::string ulp_text = ulp == 0 ? "none" : number_text(ulp);
    add_fact(data, name + "_ulp", ulp, ulp_text);
    add_fact(data, name + "_half", ulp / 2, ulp == 0 ? "none" : number_text(ulp / 2));
    add_fact(data, name + "_binades", format.max_exponent() - format.min_exponent() + 1);
    add_fact(data, name + "_marks", marks);
    add_fact(data, name + "_smallest", format.smallest_subnormal());
    add_fact(data, name + "_largest", format.largest());
    data.table.rows.push_back(
        {name, number_text(format.smallest_subnormal()), number_text(format.largest()), ulp_text, number_text(marks)});
    data.text += ' ' + name + " reaches from " + number_text(format.smallest_subnormal()) + " to " +
                 number_text(format.largest()) + ", with " + number_text(marks) + " numbers in each of its " +
                 data.fact(name + "_binades")->text + " normal binades; " +
                 (ulp == 0 ? "it has none at " + here + '.'
                           : "at " + here + " neighbours are " + ulp_text + " apart, so rounding errs by at most " +
                                 data.fact(name + "_half")->text + '.');
  }
  return data;
}

}  // namespace

FigureKind ruler_kind() {
  return {.name = "ruler",
          .doc = "Range and precision of formats: the length of a ruler is the range, its marks are the numbers.",
          .parameters = {{.name = "formats",
                          .type = ParameterType::kFormats,
                          .preset = "float32 bfloat16 float16 float8_e5m2 float8_e4m3fn",
                          .most = 6,
                          .doc = "The formats, from top to bottom."},
                         {.name = "binade",
                          .type = ParameterType::kCount,
                          .preset = "0",
                          .low = kRulerLow,
                          .high = kRulerHigh,
                          .doc = "The exponent at which neighbours are compared."}},
          .slider = {.label = "Binade", .parameter = "binade", .low = kRulerLow, .high = kRulerHigh},
          .facts = {{"FORMAT_ulp", "distance of neighbours in the binade; 0 if the format has no number there"},
                    {"FORMAT_half", "half of it: the largest error of rounding"},
                    {"FORMAT_binades", "number of binades with normal numbers"},
                    {"FORMAT_marks", "numbers in a binade"},
                    {"FORMAT_smallest", "smallest positive number"},
                    {"FORMAT_largest", "largest number"}},
          .compute = ruler_data};
}

}  // namespace binade::lessons
