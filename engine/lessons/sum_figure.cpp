// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <cmath>
#include <string>
#include <utility>

namespace binade::lessons {

namespace {

struct RunningSum {
  double end = 0;
  int changed = 0;  ///< additions that changed the sum
  int stuck = 0;    ///< the first addition that did not, from 1; 0: none
  Series series;
};

RunningSum add_one_by_one(int count, double value, const formats::Format& accumulator) {
  constexpr int kPoints = 512;
  RunningSum sum;
  sum.series.format = accumulator;
  for (int i = 1; i <= count; ++i) {
    const double before = std::exchange(sum.end, held(sum.end + value, accumulator));
    if (sum.end != before) {
      ++sum.changed;
    } else if (sum.stuck == 0 && std::isfinite(before)) {
      sum.stuck = i;
    }
    if (count <= kPoints || i % (count / kPoints) == 0 || i == count) sum.series.points.push_back({i * 1.0, sum.end});
  }
  return sum;
}

double add_in_pairs(int count, double value, const formats::Format& accumulator) {
  std::vector<double> sums(static_cast<std::size_t>(count), value);
  while (sums.size() > 1) {
    for (std::size_t i = 0; i < sums.size() / 2; ++i) sums[i] = held(sums[2 * i] + sums[2 * i + 1], accumulator);
    if (sums.size() % 2 != 0) sums[sums.size() / 2] = sums.back();
    sums.resize((sums.size() + 1) / 2);
  }
  return sums.front();
}

FigureData sum_data(const Parameters& parameters) {
  const int count = parameters.count("count");
  const formats::Format& format = parameters.format("format");
  const std::string name = formats::name(format);
  const double value = held(parameters.number("value"), format);
  const double exact = parameters.number("value") * count;
  RunningSum narrow = add_one_by_one(count, value, format);
  RunningSum wide = add_one_by_one(count, value, formats::kFloat32);
  const double tree = add_in_pairs(count, value, format);
  const double stored = held(wide.end, format);
  const double top = std::isfinite(narrow.end) ? narrow.end : format.largest();
  const double step = step_at(top, format);

  FigureData data;
  data.title = number_text(count) + " times " + number_text(parameters.number("value"));
  add_fact(data, "value_held", value);
  add_fact(data, "exact", exact);
  add_fact(data, "sequential", narrow.end);
  add_fact(data, "sequential_bits", narrow.end, bits_text(narrow.end, format));
  add_fact(data, "tree", tree);
  add_fact(data, "wide", wide.end);
  add_fact(data, "stored", stored);
  add_fact(data, "stored_bits", stored, bits_text(stored, format));
  add_fact(data, "changed", narrow.changed);
  add_fact(data, "stuck", narrow.stuck);
  add_fact(data, "step", step);
  add_fact(data, "half_step", step / 2);

  narrow.series.title = name + ", one by one";
  wide.series.title = "float32, one by one";
  Panel panel;
  panel.x = {"additions", AxisScale::kLinear, 0, count * 1.0};
  panel.y = {"sum", AxisScale::kLinear, 0, 1.05 * exact};
  panel.series = {std::move(wide.series), std::move(narrow.series)};
  if (narrow.stuck != 0) {
    panel.marks.push_back({.at = narrow.stuck * 1.0, .label = "addition " + number_text(narrow.stuck)});
  }
  if (format.largest() < panel.y.high) {
    panel.marks.push_back(
        {.at = format.largest(), .label = number_text(format.largest()), .on_x = false, .role = Role::kOverflow});
  }
  data.panels = {std::move(panel)};

  data.table.heads = {"accumulator", "order", "result"};
  data.table.rows = {{name, "one by one", number_text(narrow.end)},
                     {name, "in pairs", number_text(tree)},
                     {"float32", "one by one", number_text(wide.end)},
                     {"float32, stored as " + name, "one by one", number_text(stored)}};
  data.text = "The sum of " + number_text(count) + " times " + number_text(parameters.number("value")) + " is " +
              number_text(exact) + "; " + name + " holds each value as " + number_text(value) + ". Accumulated in " +
              name + " one by one it ends at " + number_text(narrow.end) + " (" + bits_text(narrow.end, format) +
              "). " + number_text(narrow.changed) + " additions change it" +
              (narrow.stuck == 0 ? "."
                                 : ", and none from number " + number_text(narrow.stuck) +
                                       " on, since neighbours are " + number_text(step) + " apart there.") +
              " Added in pairs it ends at " + number_text(tree) + ". A float32 accumulator ends at " +
              number_text(wide.end) + ", which " + name + " stores as " + number_text(stored) + '.';
  return data;
}

}  // namespace

FigureKind sum_kind() {
  return {.name = "sum",
          .doc = "A sum of equal values: one by one and in pairs in a narrow format, and one by one in float32.",
          .parameters = {{.name = "count",
                          .type = ParameterType::kCount,
                          .preset = "4096",
                          .low = 1,
                          .high = 65536,
                          .doc = "Number of additions."},
                         {.name = "value",
                          .preset = "16",
                          .low = 1e-30,
                          .high = 1e30,
                          .doc = "The value that is added; the format rounds it first."},
                         {.name = "format",
                          .type = ParameterType::kFormat,
                          .preset = "float16",
                          .doc = "Format of the value and of the narrow accumulator."}},
          .facts = {{"value_held", "the value in the format"},
                    {"exact", "count times value"},
                    {"sequential", "result of adding one by one in the format"},
                    {"sequential_bits", "its bit pattern"},
                    {"tree", "result of adding in pairs in the format"},
                    {"wide", "result of a float32 accumulator"},
                    {"stored", "the same, rounded to the format"},
                    {"stored_bits", "its bit pattern"},
                    {"changed", "additions that changed the sequential sum"},
                    {"stuck", "number of the first addition that changed nothing; 0 if there is none"},
                    {"step", "distance of neighbours at the sequential result"},
                    {"half_step", "half of it: what is added and not larger can be lost"}},
          .compute = sum_data};
}

}  // namespace binade::lessons
