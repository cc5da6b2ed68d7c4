// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <cmath>
#include <string>

namespace binade::lessons {

namespace {

struct Slope {
  float weight = 0;
  float target = 0;
  float lr = 0;
  int steps = 0;
};

/// A training of one weight with loss (weight - target)^2 / 2.
struct WeightPath {
  std::vector<float> weights;  ///< before each step and after the last
  std::vector<float> updates;

  void step(float update) {
    updates.push_back(update);
    weights.push_back(weights.back() - update);
  }
  double first_step() const { return static_cast<double>(std::fabs(updates.front())); }
  double end() const { return static_cast<double>(weights.back()); }
};

/// `scale` is the loss scale that was not divided out: 1 after unscaling.
WeightPath sgd_path(const Slope& slope, float scale) {
  WeightPath path{{slope.weight}, {}};
  for (int i = 0; i < slope.steps; ++i) path.step(slope.lr * (scale * (path.weights.back() - slope.target)));
  return path;
}

WeightPath adam_path(const Slope& slope, float scale) {
  WeightPath path{{slope.weight}, {}};
  float first = 0;
  float second = 0;
  double power1 = 1;  // beta1^step
  double power2 = 1;
  for (int i = 0; i < slope.steps; ++i) {
    const float gradient = scale * (path.weights.back() - slope.target);
    first = 0.9f * first + 0.1f * gradient;
    second = 0.999f * second + 0.001f * gradient * gradient;
    power1 *= 0.9;
    power2 *= 0.999;
    const float root = std::sqrt(second) / static_cast<float>(std::sqrt(1 - power2)) + 1e-8f;
    path.step(static_cast<float>(static_cast<double>(slope.lr) / (1 - power1)) * (first / root));
  }
  return path;
}

Series distance_series(const char* title, const WeightPath& path, float target, Role role) {
  Series series{.title = title, .role = role};
  for (std::size_t i = 0; i < path.weights.size(); ++i) {
    series.points.push_back({static_cast<double>(i), static_cast<double>(std::fabs(path.weights[i] - target))});
  }
  return series;
}

Panel distance_panel(const char* title, const WeightPath& with, const WeightPath& without, const Slope& slope) {
  Panel panel;
  panel.title = title;
  panel.x = {"step", AxisScale::kLinear, 0, slope.steps * 1.0};
  panel.y = {"distance from the target", AxisScale::kLog10, 1e-6, 1e24};
  panel.series = {distance_series("unscaled", with, slope.target, Role::kPlain),
                  distance_series("not unscaled", without, slope.target, Role::kOverflow)};
  return panel;
}

void add_pair(FigureData& data, const std::string& name, const WeightPath& with, const WeightPath& without) {
  const double ratio = without.first_step() / with.first_step();
  add_fact(data, name + "_first", with.first_step());
  add_fact(data, name + "_first_missing", without.first_step());
  add_fact(data, name + "_ratio", ratio, number_text(std::round(100 * ratio) / 100));
  add_fact(data, name + "_end", with.end());
  add_fact(data, name + "_end_missing", without.end());
}

FigureData unscale_data(const Parameters& parameters) {
  const Slope slope{static_cast<float>(parameters.number("weight")), static_cast<float>(parameters.number("target")),
                    static_cast<float>(parameters.number("lr")), parameters.count("steps")};
  const auto scale = static_cast<float>(parameters.number("scale"));
  const WeightPath sgd = sgd_path(slope, 1);
  const WeightPath sgd_missing = sgd_path(slope, scale);
  const WeightPath adam = adam_path(slope, 1);
  const WeightPath adam_missing = adam_path(slope, scale);
  FigureData data;
  data.title = "With and without dividing by the scale";
  data.panels = {distance_panel("SGD", sgd, sgd_missing, slope), distance_panel("Adam", adam, adam_missing, slope)};
  add_pair(data, "sgd", sgd, sgd_missing);
  add_pair(data, "adam", adam, adam_missing);
  data.table.heads = {"optimizer", "first step", "without unscaling", "ratio", "end", "end without unscaling"};
  for (const std::string name : {"sgd", "adam"}) {
    data.table.rows.push_back({name == "sgd" ? "SGD" : "Adam", data.fact(name + "_first")->text,
                               data.fact(name + "_first_missing")->text, data.fact(name + "_ratio")->text,
                               data.fact(name + "_end")->text, data.fact(name + "_end_missing")->text});
  }
  data.text = "One weight is trained for " + number_text(slope.steps) + " steps with a loss scale of " +
              number_text(static_cast<double>(scale)) + ". SGD's first step is " + data.fact("sgd_first")->text +
              "; without unscaling it is " + data.fact("sgd_first_missing")->text + ", " +
              data.fact("sgd_ratio")->text + " times as large, and the weight ends at " +
              data.fact("sgd_end_missing")->text + " instead of " + data.fact("sgd_end")->text +
              ". Adam divides the gradient by its own size: without unscaling its first step is " +
              data.fact("adam_ratio")->text + " times as large, and the weight ends at " +
              data.fact("adam_end_missing")->text + " instead of " + data.fact("adam_end")->text + '.';
  return data;
}

}  // namespace

FigureKind unscale_kind() {
  return {.name = "unscale",
          .doc = "One weight trained with SGD and with Adam, with and without dividing the gradient by the loss scale.",
          .parameters =
              {{.name = "weight", .preset = "1", .low = -100, .high = 100, .doc = "The weight at the start."},
               {.name = "target", .preset = "0", .low = -100, .high = 100, .doc = "The weight at which the loss is 0."},
               {.name = "lr", .preset = "0.1", .low = 1e-6, .high = 1, .doc = "The learning rate."},
               {.name = "steps",
                .type = ParameterType::kCount,
                .preset = "10",
                .low = 1,
                .high = 1000,
                .doc = "Number of steps."},
               {.name = "scale", .preset = "1024", .low = 1, .high = 65536, .doc = "The loss scale."}},
          .slider = {.label = "Loss scale", .parameter = "scale", .high = 16, .exponent = true},
          .facts = {{"sgd_first", "length of SGD's first step"},
                    {"sgd_first_missing", "the same without unscaling"},
                    {"sgd_ratio", "ratio of the two"},
                    {"sgd_end", "weight at the end with SGD"},
                    {"sgd_end_missing", "the same without unscaling"},
                    {"adam_first", "length of Adam's first step"},
                    {"adam_first_missing", "the same without unscaling"},
                    {"adam_ratio", "ratio of the two"},
                    {"adam_end", "weight at the end with Adam"},
                    {"adam_end_missing", "the same without unscaling"}},
          .compute = unscale_data};
}

}  // namespace binade::lessons
