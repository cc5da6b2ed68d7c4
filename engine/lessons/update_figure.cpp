// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"
#include "engine/lessons/lost_update.h"
#include "engine/numbers/number.h"

#include <algorithm>
#include <string>
#include <utility>

namespace binade::lessons {

namespace {

double next_above(double value, const formats::Format& format) {
  return numbers::value(numbers::next(numbers::round_to({value}, format).number));
}

struct RepeatedUpdate {
  double end = 0;
  int lost = 0;
  Series series = {};
};

RepeatedUpdate update_repeatedly(double parameter, double update, int count, const formats::Format& format) {
  constexpr int kPoints = 500;
  RepeatedUpdate result{.end = held(parameter, format)};
  result.series.format = format;
  result.series.title = formats::name(format);
  const double step = held(update, format);
  result.series.points.push_back({0, result.end});
  for (int i = 1; i <= count; ++i) {
    const double before = std::exchange(result.end, held(result.end + step, format));
    if (result.end == before) ++result.lost;
    if (count <= kPoints || i % (count / kPoints) == 0 || i == count) {
      result.series.points.push_back({i * 1.0, result.end});
    }
  }
  return result;
}

void add_limits_of_updates(FigureData& data, double parameter, const formats::Format& format) {
  const formats::Format& wide = formats::kFloat32;
  const double start = held(parameter, format);
  const double limit = largest_lost_increase(start, format);
  const double above = next_above(limit, format);
  const double odd = next_above(start, format);
  const double wide_limit = largest_lost_increase(held(parameter, wide), wide);
  add_fact(data, "limit", limit);
  add_fact(data, "above_limit", above);
  add_fact(data, "above_result", held(start + above, format));
  add_fact(data, "odd", odd);
  add_fact(data, "odd_result", held(odd + limit, format));
  add_fact(data, "down_limit", largest_lost_decrease(start, format));
  add_fact(data, "wide_limit", wide_limit);
  add_fact(data, "wide_above_result", held(held(parameter, wide) + next_above(wide_limit, wide), wide));
}

FigureData update_data(const Parameters& parameters) {
  const formats::Format& format = parameters.format("format");
  const std::string name = formats::name(format);
  const double parameter = parameters.number("parameter");
  const double update = parameters.number("update");
  const int count = parameters.count("count");
  const double start = held(parameter, format);
  const double once = held(start + held(update, format), format);
  const double once_wide =
      held(held(parameter, formats::kFloat32) + held(update, formats::kFloat32), formats::kFloat32);
  RepeatedUpdate narrow = update_repeatedly(parameter, update, count, format);
  RepeatedUpdate wide = update_repeatedly(parameter, update, count, formats::kFloat32);

  FigureData data;
  data.title = number_text(parameter) + " + " + number_text(update) + ", again and again";
  add_fact(data, "update_held", held(update, format));
  add_fact(data, "once", once);
  add_fact(data, "once_bits", once, bits_text(once, format));
  add_fact(data, "once_wide", once_wide);
  add_fact(data, "many", narrow.end);
  add_fact(data, "many_wide", wide.end);
  add_fact(data, "lost", narrow.lost);
  add_fact(data, "master", held(wide.end, format));
  add_limits_of_updates(data, parameter, format);

  data.table.heads = {"parameter in", "after 1 update", "after " + number_text(count), "largest lost increase"};
  data.table.rows = {
      {name, number_text(once), number_text(narrow.end), data.fact("limit")->text},
      {"float32", data.fact("once_wide")->text, number_text(wide.end), data.fact("wide_limit")->text},
      {"float32, copied to " + name, number_text(held(once_wide, format)), data.fact("master")->text, ""}};
  data.text = number_text(parameter) + " plus " + number_text(update) + " is " + number_text(once) + " (" +
              data.fact("once_bits")->text + ") in " + name + ", which holds the update as " +
              data.fact("update_held")->text + ", and " + data.fact("once_wide")->text + " in float32. After " +
              number_text(count) + " updates " + name + " holds " + number_text(narrow.end) + " (" +
              number_text(narrow.lost) + " updates changed nothing) and float32 holds " + number_text(wide.end) +
              ", whose copy in " + name + " is " + data.fact("master")->text + ". The largest increase of " +
              number_text(start) + " that is lost is " + data.fact("limit")->text + " in " + name + " and " +
              data.fact("wide_limit")->text + " in float32. With the next number above that it becomes " +
              data.fact("above_result")->text + " (" + name + ", " + data.fact("above_limit")->text + ") and " +
              data.fact("wide_above_result")->text + " (float32). The next " + name + " number after the parameter, " +
              data.fact("odd")->text + ", plus " + data.fact("limit")->text + " is " + data.fact("odd_result")->text +
              ". The largest decrease that is lost is " + data.fact("down_limit")->text + '.';
  Panel panel;
  panel.x = {"updates", AxisScale::kLinear, 0, count * 1.0};
  const double room = std::max(0.05 * (wide.end - parameter), 1e-6 * parameter);
  panel.y = {"parameter", AxisScale::kLinear, parameter - room, wide.end + room};
  panel.series = {std::move(wide.series), std::move(narrow.series)};
  data.panels = {std::move(panel)};
  return data;
}

}  // namespace

FigureKind update_kind() {
  return {.name = "update",
          .doc = "A parameter to which a small update is added again and again, in a format and in float32.",
          .parameters =
              {{.name = "parameter", .preset = "1", .low = 0x1p-10, .high = 1024, .doc = "The parameter at the start."},
               {.name = "update", .preset = "0.0001", .low = 0x1p-40, .high = 1, .doc = "The update."},
               {.name = "count",
                .type = ParameterType::kCount,
                .preset = "1000",
                .low = 1,
                .high = 10000,
                .doc = "Number of updates."},
               {.name = "format", .type = ParameterType::kFormat, .preset = "float16", .doc = "The narrow format."}},
          .slider = {.label = "Update", .parameter = "update", .low = -26, .high = -4, .exponent = true},
          .facts = {{"update_held", "the update in the format"},
                    {"once", "parameter after one update in the format"},
                    {"once_bits", "its bit pattern"},
                    {"once_wide", "the same in float32"},
                    {"many", "parameter after all updates in the format"},
                    {"many_wide", "the same in float32"},
                    {"lost", "updates that changed nothing in the format"},
                    {"master", "the float32 parameter after all updates, copied to the format"},
                    {"limit", "largest increase, of the format's numbers, that the parameter in the format loses"},
                    {"above_limit", "the next number of the format"},
                    {"above_result", "parameter plus that number"},
                    {"odd", "the next number above the parameter"},
                    {"odd_result", "that number plus `limit`"},
                    {"down_limit", "largest decrease that the parameter loses"},
                    {"wide_limit", "largest increase that a float32 parameter loses"},
                    {"wide_above_result", "float32 parameter plus the next float32 above that"}},
          .compute = update_data};
}

}  // namespace binade::lessons
