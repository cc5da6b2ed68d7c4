// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"
#include "engine/lessons/stored_bytes.h"

#include <string>

namespace binade::lessons {

namespace {

struct BaselineBar {
  const char* label;
  double ratio;
  std::string text;
};

FigureData baseline_bars_data(const Parameters& /*parameters*/) {
  const double storage = 1.0 * stored_bytes(formats::kFloat16) / stored_bytes(formats::kFloat32);
  const double throughput = 1 / storage;  // of values, at the same number of bytes a second
  constexpr double kQuotedCompute = 8;    // tensor cores of a V100
  const BaselineBar bars[] = {{"compute", kQuotedCompute, "up to " + number_text(kQuotedCompute) + " × (quoted)"},
                              {"memory throughput", throughput, number_text(throughput) + " ×"},
                              {"storage", storage, number_text(storage) + " ×"}};
  FigureData data;
  data.title = "float16 beside float32";
  data.source = "compute: quoted from NVIDIA's talk on automatic mixed precision in PyTorch, for a V100; not measured";
  data.table.heads = {"", "float32", "float16"};
  data.text = "float16 where float32 is 1:";
  Panel panel;
  panel.x = {"float32 = 1", AxisScale::kLinear, 0, 9};
  panel.rows = true;
  panel.marks.push_back({.at = 1, .label = "float32"});
  for (const BaselineBar& bar : bars) {
    const std::size_t row = panel.bar_labels.size();
    panel.bar_labels.emplace_back(bar.label);
    panel.bars.push_back({.row = row, .to = 1, .text = "1 ×", .format = formats::kFloat32});
    panel.bars.push_back({.row = row,
                          .to = bar.ratio,
                          .text = bar.text,
                          .format = formats::kFloat16,
                          .role = row == 0 ? Role::kQuoted : Role::kPlain});
    data.table.rows.push_back({bar.label, "1 ×", bar.text});
    data.text += std::string(row == 0 ? " " : ", ") + bar.label + ' ' + bar.text;
  }
  data.text += '.';
  data.panels = {std::move(panel)};
  add_fact(data, "compute", kQuotedCompute);
  add_fact(data, "throughput", throughput);
  add_fact(data, "storage", storage);
  return data;
}

}  // namespace

FigureKind baseline_bars_kind() {
  return {.name = "baseline_bars",
          .doc = "Compute, memory throughput and storage of float16, with float32 as 1. Compute is quoted.",
          .facts = {{"compute", "arithmetic, as quoted: up to so many times float32's"},
                    {"throughput", "values moved at the same number of bytes a second, as a multiple of float32's"},
                    {"storage", "bytes of a value, as a share of float32's"}},
          .compute = baseline_bars_data};
}

}  // namespace binade::lessons
