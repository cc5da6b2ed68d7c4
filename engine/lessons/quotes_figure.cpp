// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <cmath>
#include <string>

namespace binade::lessons {

namespace {

constexpr const char* kTalk = "NVIDIA's talk on automatic mixed precision in PyTorch";
constexpr const char* kV100Sheet = "NVIDIA's V100 data sheet (SXM2), and the talk";
constexpr const char* kA100Sheet = "NVIDIA's A100 data sheet, and the talk";

/// Peak of the tensor cores in float16 and of the ordinary cores in float32, in TFLOP/s, as published.
struct PublishedPeak {
  const char* gpu;
  double float16;
  double float32;
  const char* source;
};
constexpr PublishedPeak kV100{"v100", 125, 15.7, kV100Sheet};
constexpr PublishedPeak kA100{"a100", 312, 19.5, kA100Sheet};

void add_row(FigureData& data, const std::string& claim, const std::string& text, const char* source, double low,
             double high) {
  Panel& panel = data.panels.front();
  panel.bars.push_back({.row = panel.bar_labels.size(), .from = low, .to = high, .text = text, .role = Role::kQuoted});
  panel.bar_labels.push_back(claim);
  data.table.rows.push_back({claim, text, source});
  data.text += ' ' + claim + ": " + text + '.';
}

void add_peak(FigureData& data, const PublishedPeak& peak, const std::string& label) {
  const std::string name = peak.gpu;
  const double ratio = peak.float16 / peak.float32;
  const std::string ratio_text = number_text(std::round(100 * ratio) / 100);
  add_fact(data, name + "_tflops", peak.float16);
  add_fact(data, name + "_float32", peak.float32);
  add_fact(data, name + "_ratio", ratio, ratio_text);
  add_row(data, label,
          number_text(peak.float16) + " / " + number_text(peak.float32) + " TFLOP/s = " + ratio_text + " ×",
          peak.source, 0, ratio);
}

FigureData quotes_data(const Parameters& /*parameters*/) {
  FigureData data;
  data.title = "Figures that others published";
  data.source =
      "quoted from NVIDIA's talk on automatic mixed precision in PyTorch and NVIDIA's data sheets; not measured";
  data.table.heads = {"claim", "quoted figure", "source"};
  data.text = "Quoted, not measured here.";
  Panel panel;
  panel.x = {"times as fast as float32", AxisScale::kLinear, 0, 17};
  panel.rows = true;
  panel.marks.push_back({.at = 1, .label = "float32"});
  data.panels = {std::move(panel)};
  add_peak(data, kV100, "Peak of a V100, float16 on tensor cores to float32");
  add_peak(data, kA100, "Peak of an A100, the same");
  const auto range = [&](const char* name, double low, double high) {
    add_fact(data, std::string(name) + "_low", low);
    add_fact(data, std::string(name) + "_high", high);
  };
  range("bert", 3, 4);
  add_row(data, "Training of BERT on a V100", "3 to 4 ×", kTalk, 3, 4);
  range("jasper", 2, 3);
  add_row(data, "Training of Jasper on a V100", "2 to 3 ×", kTalk, 2, 3);
  add_fact(data, "a100_again", 2);
  add_row(data, "An A100 on top of these", "about 2 ×, in many cases more", kTalk, 0, 2);
  add_fact(data, "retraining", 0.5);
  add_row(data, "Time of a training that is repeated", "0.5 × the time of float32, or less", kTalk, 0, 2);
  return data;
}

}  // namespace

FigureKind quotes_kind() {
  return {.name = "quotes",
          .doc = "Published figures with their source, always labelled as quoted. Only the ratios are computed.",
          .facts = {{"v100_tflops", "peak of a V100's tensor cores in float16, TFLOP/s"},
                    {"v100_float32", "peak of its ordinary cores in float32, TFLOP/s"},
                    {"v100_ratio", "ratio of the two"},
                    {"a100_tflops", "peak of an A100's tensor cores in float16, TFLOP/s"},
                    {"a100_float32", "peak of its ordinary cores in float32, TFLOP/s"},
                    {"a100_ratio", "ratio of the two"},
                    {"bert_low", "speed-up of BERT's training on a V100, at least"},
                    {"bert_high", "the same, at most"},
                    {"jasper_low", "speed-up of Jasper's training on a V100, at least"},
                    {"jasper_high", "the same, at most"},
                    {"a100_again", "further speed-up by an A100, about"},
                    {"retraining", "share of the time that a repeated training takes, at most"}},
          .compute = quotes_data};
}

}  // namespace binade::lessons
