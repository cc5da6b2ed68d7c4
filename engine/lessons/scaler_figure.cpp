// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"
#include "engine/lessons/scale_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace binade::lessons {

namespace {

struct SimulatedStep {
  double maximum = 0;  ///< largest gradient
  double scale = 0;    ///< that the step used
  double scaled = 0;   ///< largest scaled gradient, in the format
  double drawn = 0;    ///< the same, or the product before rounding where that is infinity
  bool skipped = false;
  double next_scale = 0;
};

std::vector<SimulatedStep> simulate(const Parameters& parameters, DynamicScale& state) {
  const formats::Format& format = parameters.format("format");
  const std::vector<double>& maxima = parameters.numbers("maxima");
  const int given = parameters.count("steps");
  const std::size_t count = given == 0 ? maxima.size() : static_cast<std::size_t>(given);
  std::vector<SimulatedStep> steps;
  steps.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    SimulatedStep step{.maximum = maxima[std::min(i, maxima.size() - 1)], .scale = state.scale};
    step.scaled = held(step.maximum * step.scale, format);
    step.skipped = !std::isfinite(step.scaled);
    step.drawn = step.skipped ? step.maximum * step.scale : step.scaled;
    state = after_step(state, step.skipped);
    step.next_scale = state.scale;
    steps.push_back(step);
  }
  return steps;
}

/// Points where y changes, and the last one: enough to draw steps.
Series changes(std::string title, const std::vector<SimulatedStep>& steps, double SimulatedStep::*member) {
  Series series{.title = std::move(title), .steps = true};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double y = steps[i].*member;
    const bool changed = series.points.empty() || series.points.back().y != y;
    if (changed || i + 1 == steps.size()) series.points.push_back({static_cast<double>(i + 1), y});
  }
  return series;
}

/// The end of the axis of gradients, above all products. Products that are infinite are drawn below it.
double gradient_end(std::vector<SimulatedStep>& steps, const formats::Format& format) {
  double end = 256 * format.overflow_limit();
  for (const SimulatedStep& step : steps) {
    if (std::isfinite(step.drawn)) end = std::max(end, 4 * step.drawn);
  }
  for (SimulatedStep& step : steps) {
    if (!std::isfinite(step.drawn)) step.drawn = end / 4;
  }
  return end;
}

void add_scaler_panels(FigureData& data, std::vector<SimulatedStep> steps, const formats::Format& format) {
  const auto count = static_cast<double>(steps.size());
  Panel scales;
  scales.title = "Loss scale";
  scales.x = {"step", AxisScale::kLinear, 1, count + 1};
  scales.series = {changes("loss scale", steps, &SimulatedStep::scale)};
  const auto [low, high] = std::minmax_element(
      steps.begin(), steps.end(), [](const SimulatedStep& a, const SimulatedStep& b) { return a.scale < b.scale; });
  scales.y = {"", AxisScale::kLog2, std::clamp(low->scale / 2, power_of_two(-150), 0.5), 4 * high->scale};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].skipped) {
      scales.marks.push_back({.at = static_cast<double>(i + 1), .label = "skipped", .role = Role::kOverflow});
    }
  }
  Panel gradients;
  gradients.title = "Largest gradient, scaled";
  gradients.x = scales.x;
  gradients.y = {"", AxisScale::kLog2, power_of_two(-24), gradient_end(steps, format)};
  gradients.series = {changes("largest scaled gradient", steps, &SimulatedStep::drawn),
                      changes("largest gradient", steps, &SimulatedStep::maximum)};
  gradients.series[1].role = Role::kPast;
  add_window(gradients, format, false);
  data.panels = {std::move(scales), std::move(gradients)};
}

/// Rows of the steps that changed the scale, as many as a page holds.
void add_scaler_table(FigureData& data, const std::vector<SimulatedStep>& steps) {
  constexpr std::size_t kRows = 40;
  data.table.heads = {"step", "largest gradient", "loss scale", "scaled", "result", "next scale"};
  for (std::size_t i = 0; i < steps.size() && data.table.rows.size() < kRows; ++i) {
    const SimulatedStep& step = steps[i];
    if (i != 0 && step.next_scale == step.scale) continue;
    const char* result = step.skipped ? "skipped, backs off" : step.next_scale > step.scale ? "grows" : "clean";
    data.table.rows.push_back({std::to_string(i + 1), number_text(step.maximum), number_text(step.scale),
                               number_text(step.scaled), result, number_text(step.next_scale)});
  }
}

void add_scaler_facts(FigureData& data, const std::vector<SimulatedStep>& steps, const DynamicScale& end) {
  int skipped = 0;
  int growths = 0;
  double lowest = steps.front().scale;
  double highest = steps.front().scale;
  std::optional<std::size_t> first_clean;
  std::optional<std::size_t> below_1;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const SimulatedStep& step = steps[i];
    if (step.skipped) ++skipped;
    if (step.next_scale > step.scale) ++growths;
    if (!step.skipped && !first_clean) first_clean = i + 1;
    if (step.scale < 1 && !below_1) below_1 = i + 1;
    lowest = std::min(lowest, step.next_scale);
    highest = std::max(highest, step.next_scale);
  }
  const auto step_fact = [&](const char* name, std::optional<std::size_t> step) {
    add_fact(data, name, static_cast<double>(step.value_or(0)), step ? std::to_string(*step) : "none");
  };
  add_fact(data, "steps", static_cast<double>(steps.size()));
  add_fact(data, "skipped", skipped);
  add_fact(data, "growths", growths);
  step_fact("first_clean", first_clean);
  step_fact("below_1", below_1);
  add_fact(data, "after_first", steps.front().next_scale);
  add_fact(data, "final", end.scale);
  add_fact(data, "final_exponent", std::log2(end.scale));
  add_fact(data, "lowest", lowest);
  add_fact(data, "highest", highest);
  add_fact(data, "tracker", end.tracker);
}

FigureData scaler_data(const Parameters& parameters) {
  DynamicScale state{.scale = held(parameters.number("scale"), formats::kFloat32),
                     .growth = parameters.number("growth"),
                     .backoff = parameters.number("backoff"),
                     .interval = parameters.count("interval")};
  const std::vector<SimulatedStep> steps = simulate(parameters, state);
  FigureData data;
  data.title = "A dynamic loss scaler";
  add_scaler_facts(data, steps, state);
  add_scaler_panels(data, steps, parameters.format("format"));
  add_scaler_table(data, steps);
  data.text = "A dynamic scaler begins at " + number_text(steps.front().scale) + ". In " + data.fact("steps")->text +
              " steps it skips " + data.fact("skipped")->text + ", each time multiplying its scale by " +
              number_text(state.backoff) + ", and grows " + data.fact("growths")->text + " times, after " +
              number_text(state.interval) +
              " clean steps in a row. The first step that is not skipped: " + data.fact("first_clean")->text +
              ". The scale goes down to " + data.fact("lowest")->text + ", up to " + data.fact("highest")->text +
              " and ends at " + data.fact("final")->text + " (2^" + data.fact("final_exponent")->text + ").";
  return data;
}

}  // namespace

FigureKind scaler_kind() {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  return {
      .name = "scaler",
      .doc = "A dynamic loss scaler by PyTorch's rule, with the largest gradient of each step given.",
      .parameters =
          {{.name = "maxima",
            .type = ParameterType::kNumbers,
            .preset = "4x4 8x1 8x0.25 4x8 8x0.5",
            .high = kInfinite,
            .most = 20000,
            .doc = "The largest gradient of each step, without the scale; `inf` always overflows."},
           {.name = "scale",
            .preset = "65536",
            .low = 0x1p-126,
            .high = 0x1p127,
            .doc = "The scale of the first step."},
           {.name = "growth", .preset = "2", .low = 1.001, .high = 1000, .doc = "The growth factor."},
           {.name = "backoff", .preset = "0.5", .low = 0.001, .high = 0.999, .doc = "The back-off factor."},
           {.name = "interval",
            .type = ParameterType::kCount,
            .preset = "2000",
            .low = 1,
            .high = 1e6,
            .doc = "Clean steps in a row before the scale grows."},
           {.name = "steps",
            .type = ParameterType::kCount,
            .preset = "0",
            .high = 20000,
            .doc = "Number of steps; steps beyond the list have its last maximum. 0: as many steps as maxima."},
           {.name = "format", .type = ParameterType::kFormat, .preset = "float16", .doc = "Format of the gradients."}},
      .facts = {{"steps", "number of steps"},
                {"skipped", "steps that overflow and are skipped"},
                {"growths", "steps after which the scale grows"},
                {"first_clean", "number of the first step that is not skipped, from 1; 0: none"},
                {"below_1", "number of the first step with a scale below 1; 0: none"},
                {"after_first", "scale after the first step"},
                {"final", "scale after the last step"},
                {"final_exponent", "its binary logarithm"},
                {"lowest", "smallest scale"},
                {"highest", "largest scale"},
                {"tracker", "clean steps in a row at the end that count towards growth"}},
      .compute = scaler_data};
}

}  // namespace binade::lessons
