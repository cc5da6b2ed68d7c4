// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"
#include "engine/lessons/stored_bytes.h"

#include <string>

namespace binade::lessons {

namespace {

FigureData storage_data(const Parameters& parameters) {
  const double count = parameters.number("count");
  const double most = count * stored_bytes(formats::kFloat32);
  FigureData data;
  data.title = "Bytes of " + number_text(count) + " values";
  Panel panel;
  panel.x = {"bytes", AxisScale::kLinear, 0, most};
  panel.rows = true;
  data.table.heads = {"format", "bytes", "of float32's", "values in float32's place"};
  for (const formats::Format& format : parameters.formats("formats")) {
    const std::string name = formats::name(format);
    const double bytes = count * stored_bytes(format);
    const double fit = most / stored_bytes(format);
    add_fact(data, name + "_bytes", bytes);
    add_fact(data, name + "_share", bytes / most);
    add_fact(data, name + "_fit", fit);
    panel.bars.push_back({.row = panel.bar_labels.size(), .to = bytes, .text = number_text(bytes), .format = format});
    panel.bar_labels.push_back(name);
    data.table.rows.push_back({name, number_text(bytes), number_text(bytes / most), number_text(fit)});
    data.text += (data.text.empty() ? "" : " ") + name + " needs " + number_text(bytes) + " bytes for " +
                 number_text(count) + " values, " + number_text(bytes / most) + " times what float32 needs.";
  }
  data.panels = {std::move(panel)};
  return data;
}

}  // namespace

FigureKind storage_kind() {
  return {.name = "storage",
          .doc = "Bytes that a number of values needs in memory. tfloat32 is stored as float32.",
          .parameters = {{.name = "count",
                          .type = ParameterType::kCount,
                          .preset = "1000000",
                          .low = 1,
                          .high = 1e12,
                          .doc = "Number of values."},
                         {.name = "formats",
                          .type = ParameterType::kFormats,
                          .preset = "float32 float16 bfloat16 float8_e4m3fn",
                          .most = 6,
                          .doc = "The formats, from top to bottom."}},
          .facts = {{"FORMAT_bytes", "bytes of all values"},
                    {"FORMAT_share", "the same, as a share of float32's"},
                    {"FORMAT_fit", "number of values in as many bytes as `count` float32 need"}},
          .compute = storage_data};
}

}  // namespace binade::lessons
