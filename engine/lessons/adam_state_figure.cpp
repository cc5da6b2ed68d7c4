// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <cmath>
#include <string>

namespace binade::lessons {

namespace {

/// Adam's first step with all of its state in one format.
struct AdamFirstStep {
  double eps = 0;
  double first = 0;   ///< average of the gradient
  double second = 0;  ///< average of its square
  double update = 0;
  double idle = 0;  ///< update of a parameter whose gradient is 0
};

AdamFirstStep first_step_in(const formats::Format& format, double gradient, double lr, double eps) {
  const auto in = [&](double value) { return held(value, format); };
  constexpr double kRest1 = 0.1;    // 1 - beta1
  constexpr double kRest2 = 0.001;  // 1 - beta2
  const double g = in(gradient);
  AdamFirstStep step;
  step.eps = in(eps);
  step.first = in(kRest1 * g);
  step.second = in(kRest2 * in(g * g));
  const double average = in(step.first / kRest1);
  const double root = in(std::sqrt(in(step.second / kRest2)));
  step.update = in(lr * in(average / in(root + step.eps)));
  step.idle = in(lr * in(0.0 / step.eps));
  return step;
}

FigureData adam_state_data(const Parameters& parameters) {
  const formats::Format& format = parameters.format("format");
  const std::string name = formats::name(format);
  const auto step_in = [&](const formats::Format& each) {
    return first_step_in(each, parameters.number("gradient"), parameters.number("lr"), parameters.number("eps"));
  };
  const AdamFirstStep narrow = step_in(format);
  const AdamFirstStep wide = step_in(formats::kFloat32);
  FigureData data;
  data.title = "Adam's state in " + name;
  add_fact(data, "eps_held", narrow.eps);
  add_fact(data, "first", narrow.first);
  add_fact(data, "first_wide", wide.first);
  add_fact(data, "second", narrow.second);
  add_fact(data, "second_wide", wide.second);
  add_fact(data, "step", narrow.update);
  add_fact(data, "step_wide", wide.update);
  add_fact(data, "idle", narrow.idle);
  add_fact(data, "idle_wide", wide.idle);
  const auto row = [](const char* what, double in_format, double in_float32) {
    return std::vector<std::string>{what, number_text(in_format), number_text(in_float32)};
  };
  data.table.heads = {"", name, "float32"};
  data.table.rows = {row("eps", narrow.eps, wide.eps), row("average of the gradient", narrow.first, wide.first),
                     row("average of its square", narrow.second, wide.second),
                     row("update", narrow.update, wide.update),
                     row("update where the gradient is 0", narrow.idle, wide.idle)};
  data.text = "Adam's first step for a gradient of " + number_text(parameters.number("gradient")) + ". In " + name +
              " eps is " + number_text(narrow.eps) + " and the average of the squared gradient is " +
              number_text(narrow.second) + ", so the update is " + number_text(narrow.update) +
              ", and a parameter whose gradient is 0 is updated by " + number_text(narrow.idle) +
              ". In float32 the two updates are " + number_text(wide.update) + " and " + number_text(wide.idle) + '.';
  return data;
}

}  // namespace

FigureKind adam_state_kind() {
  return {.name = "adam_state",
          .doc = "Adam's first step with its state in a narrow format and in float32 (beta 0.9 and 0.999).",
          .parameters =
              {{.name = "gradient", .preset = "1e-4", .low = 1e-12, .high = 1, .doc = "The gradient."},
               {.name = "lr", .preset = "1e-3", .low = 1e-8, .high = 1, .doc = "The learning rate."},
               {.name = "eps",
                .preset = "1e-8",
                .low = 1e-16,
                .high = 1,
                .doc = "The number that keeps Adam from dividing by 0."},
               {.name = "format", .type = ParameterType::kFormat, .preset = "float16", .doc = "The narrow format."}},
          .facts = {{"eps_held", "eps in the format"},
                    {"first", "average of the gradient in the format"},
                    {"first_wide", "the same in float32"},
                    {"second", "average of the squared gradient in the format"},
                    {"second_wide", "the same in float32"},
                    {"step", "the update in the format"},
                    {"step_wide", "the same in float32"},
                    {"idle", "update in the format of a parameter whose gradient is 0"},
                    {"idle_wide", "the same in float32"}},
          .compute = adam_state_data};
}

}  // namespace binade::lessons
