// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <cmath>
#include <string>

namespace binade::lessons {

namespace {

/// Largest float32 that rounds to the format's largest number.
double last_below_overflow(const formats::Format& format) {
  return static_cast<double>(std::nextafter(static_cast<float>(format.overflow_limit()), 0.0f));
}

void add_limits(FigureData& data, const formats::Format& format) {
  const std::string name = formats::name(format);
  const double beyond = held(format.overflow_limit(), format);
  add_fact(data, name + "_largest", format.largest());
  add_fact(data, name + "_largest_bits", format.largest(), bits_text(format.largest(), format));
  add_fact(data, name + "_last", last_below_overflow(format));
  add_fact(data, name + "_overflow", format.overflow_limit());
  add_fact(data, name + "_beyond", beyond);
  add_fact(data, name + "_normal", format.smallest_normal());
  add_fact(data, name + "_smallest", format.smallest_subnormal());
  add_fact(data, name + "_zero", format.underflow_limit());
  add_fact(data, name + "_step", power_of_two(-format.mantissa_bits));
  data.table.rows.push_back({name, number_text(format.largest()), number_text(format.overflow_limit()),
                             number_text(beyond), number_text(format.smallest_normal()),
                             number_text(format.smallest_subnormal()), number_text(format.underflow_limit())});
  data.text += (data.text.empty() ? "" : " ") + name + " ends at " + number_text(format.largest()) + " (" +
               bits_text(format.largest(), format) + "); from " + number_text(format.overflow_limit()) +
               " on, rounding gives " + number_text(beyond) + ". Its normal numbers begin at " +
               number_text(format.smallest_normal()) + ", its subnormal ones at " +
               number_text(format.smallest_subnormal()) + ", and " + number_text(format.underflow_limit()) +
               " or less becomes 0. From 1 on, neighbours are " + number_text(power_of_two(-format.mantissa_bits)) +
               " apart.";
}

FigureData limits_data(const Parameters& parameters) {
  FigureData data;
  data.title = "Where formats end";
  Panel panel;
  panel.x = {"magnitude", AxisScale::kLog2, power_of_two(-30), power_of_two(20)};
  panel.rows = true;
  data.table.heads = {"format", "largest", "overflows from", "becomes", "smallest normal", "smallest", "0 up to"};
  for (const formats::Format& format : parameters.formats("formats")) {
    const std::size_t row = panel.bar_labels.size();
    panel.bar_labels.push_back(formats::name(format));
    const auto add = [&](double from, double to, Role role, const std::string& text) {
      panel.bars.push_back({.row = row, .from = from, .to = to, .text = text, .format = format, .role = role});
    };
    add(panel.x.low, format.underflow_limit(), Role::kZero, {});
    add(format.underflow_limit(), format.smallest_normal(), Role::kSubnormal, number_text(format.underflow_limit()));
    add(format.smallest_normal(), format.largest(), Role::kNormal, number_text(format.largest()));
    add(format.overflow_limit(), panel.x.high, Role::kOverflow, number_text(held(format.overflow_limit(), format)));
    add_limits(data, format);
  }
  data.panels = {std::move(panel)};
  return data;
}

}  // namespace

FigureKind limits_kind() {
  return {.name = "limits",
          .doc = "The limits of formats: largest and smallest numbers, overflow, and what becomes 0.",
          .parameters = {{.name = "formats",
                          .type = ParameterType::kFormats,
                          .preset = "tfloat32 bfloat16 float16 float8_e5m2 float8_e4m3fn e4m3",
                          .most = 8,
                          .doc = "The formats, from top to bottom. `e4m3` has infinity, `float8_e4m3fn` has none."}},
          .facts = {{"FORMAT_largest", "largest finite number"},
                    {"FORMAT_largest_bits", "its bit pattern"},
                    {"FORMAT_last", "largest float32 that still rounds to it"},
                    {"FORMAT_overflow", "smallest float32 that rounds beyond it; for float32, the real number"},
                    {"FORMAT_beyond", "result of rounding that one: infinity, or NaN in a format without infinity"},
                    {"FORMAT_normal", "smallest normal number"},
                    {"FORMAT_smallest", "smallest subnormal number"},
                    {"FORMAT_zero", "largest magnitude that becomes 0"},
                    {"FORMAT_step", "distance of neighbours from 1 on"}},
          .compute = limits_data};
}

}  // namespace binade::lessons
