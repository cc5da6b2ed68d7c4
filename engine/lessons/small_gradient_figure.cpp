// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <cmath>
#include <optional>
#include <string>

namespace binade::lessons {

namespace {

/// One gradient on its way: scaled, held in the format, copied to float32, divided by the scale.
struct ScaledPath {
  double scaled = 0;
  double held_scaled = 0;
  double unscaled = 0;
};

ScaledPath path_of(double gradient, double scale, const formats::Format& format) {
  ScaledPath path;
  path.scaled = gradient * scale;
  path.held_scaled = held(path.scaled, format);
  path.unscaled = held(path.held_scaled / scale, formats::kFloat32);
  return path;
}

/// Exponents of the scales that lose no bit to the format's range.
struct ExactScales {
  std::optional<int> lowest;
  std::optional<int> highest;
};

ExactScales exact_scales(double gradient, const formats::Format& format) {
  constexpr int kLargest = 40;
  const double unlimited = held(gradient, {8, format.mantissa_bits});
  ExactScales scales;
  for (int exponent = 0; exponent <= kLargest; ++exponent) {
    if (path_of(gradient, power_of_two(exponent), format).unscaled != unlimited) continue;
    scales.lowest = scales.lowest.value_or(exponent);
    scales.highest = exponent;
  }
  return scales;
}

struct OneUpdate {
  double weight = 0;
  double lr = 0;

  double after(double gradient) const {
    return held(weight - held(lr * gradient, formats::kFloat32), formats::kFloat32);
  }
};

Panel gradient_panel(double gradient, double beside, double scale, const formats::Format& format) {
  Panel panel;
  panel.x = {"magnitude", AxisScale::kLog2, power_of_two(-40), power_of_two(24)};
  panel.rows = true;
  add_window(panel, format, true);
  panel.bar_labels = {number_text(gradient), number_text(beside)};
  std::size_t row = 0;
  for (const double each : {gradient, beside}) {
    const ScaledPath path = path_of(each, scale, format);
    panel.bars.push_back({.row = row++,
                          .from = each,
                          .to = path.scaled,
                          .text = number_text(path.held_scaled),
                          .format = format,
                          .role = role_of(path.held_scaled, format)});
  }
  return panel;
}

FigureData small_gradient_data(const Parameters& parameters) {
  const formats::Format& format = parameters.format("format");
  const std::string name = formats::name(format);
  const double gradient = parameters.number("gradient");
  const double beside = parameters.number("beside");
  const double scale = parameters.number("scale");
  const double lr = parameters.number("lr");
  const OneUpdate update{parameters.number("weight"), lr};
  const double plain = held(gradient, format);
  const ScaledPath path = path_of(gradient, scale, format);
  const ScaledPath other = path_of(beside, scale, format);
  const ExactScales exact = exact_scales(gradient, format);
  const auto flushed_in_format = [&](double value) {
    const double kept = held(value, format);
    return std::fabs(kept) < format.smallest_normal() ? 0 : kept;
  };
  const double flushed = flushed_in_format(gradient);

  FigureData data;
  data.title = "One small gradient with and without a loss scale";
  data.panels = {gradient_panel(gradient, beside, scale, format)};
  add_fact(data, "held", plain);
  add_fact(data, "held_bits", plain, bits_text(plain, format));
  add_fact(data, "held_error", error_percent(plain, gradient), error_text(error_percent(plain, gradient)));
  add_fact(data, "flushed", flushed);
  add_fact(data, "beside_held", held(beside, format));
  add_fact(data, "scaled", path.scaled);
  add_fact(data, "scaled_held", path.held_scaled);
  add_fact(data, "unscaled", path.unscaled);
  add_fact(data, "unscaled_error", error_percent(path.unscaled, gradient),
           error_text(error_percent(path.unscaled, gradient)));
  add_fact(data, "unscaled_narrow", held(path.held_scaled / scale, format));
  add_fact(data, "beside_scaled_held", other.held_scaled);
  add_fact(data, "beside_unscaled", other.unscaled);
  add_fact(data, "beside_unscaled_narrow", held(other.held_scaled / scale, format));
  add_fact(data, "update", held(held(lr, format) * plain, format));
  add_fact(data, "update_wide", held(lr * path.unscaled, formats::kFloat32));
  add_fact(data, "overflow_gradient", format.overflow_limit() / scale);
  add_fact(data, "weight_unprotected", update.after(path.unscaled));
  add_fact(data, "weight_checked", std::isfinite(path.unscaled) ? update.after(path.unscaled) : update.weight);
  const auto scale_fact = [&](const char* fact, std::optional<int> exponent) {
    add_fact(data, fact, exponent.value_or(-1), exponent ? std::to_string(*exponent) : "none");
  };
  scale_fact("exact_lowest", exact.lowest);
  scale_fact("exact_highest", exact.highest);

  data.table.heads = {"step", "format", number_text(gradient), number_text(beside)};
  data.table.rows = {
      {"without a scale", name, number_text(plain), number_text(held(beside, format))},
      {"without a scale, subnormal numbers flushed to 0", name, number_text(flushed),
       number_text(flushed_in_format(beside))},
      {"scaled by " + number_text(scale), name, number_text(path.held_scaled), number_text(other.held_scaled)},
      {"copied", "float32", number_text(path.held_scaled), number_text(other.held_scaled)},
      {"divided by the scale", "float32", number_text(path.unscaled), number_text(other.unscaled)}};
  data.text =
      "A gradient of " + number_text(gradient) + " is " + number_text(plain) + " in " + name + " (" +
      data.fact("held_error")->text + " off), and " + number_text(flushed) + " where subnormal numbers are flushed; " +
      number_text(beside) + " is " + data.fact("beside_held")->text + ". Scaled by " + number_text(scale) +
      " the first is " + data.fact("scaled")->text + ", and the two are held as " + number_text(path.held_scaled) +
      " and " + number_text(other.held_scaled) + ". Copied to float32 and divided by the scale they are " +
      number_text(path.unscaled) + " (" + data.fact("unscaled_error")->text + " off) and " +
      number_text(other.unscaled) + "; divided in " + name + " they are " + data.fact("unscaled_narrow")->text +
      " and " + data.fact("beside_unscaled_narrow")->text + ". At this scale a gradient from " +
      data.fact("overflow_gradient")->text + " on overflows. A weight of " + number_text(update.weight) + " becomes " +
      data.fact("weight_unprotected")->text + " in a step that checks nothing, and " +
      data.fact("weight_checked")->text + " if a step that is not finite is skipped. " +
      (exact.lowest ? "Scales from 2^" + data.fact("exact_lowest")->text + " to 2^" + data.fact("exact_highest")->text +
                          " lose no bit of " + number_text(gradient) + " to the range."
                    : "Every scale loses bits of " + number_text(gradient) + " to the range.");
  return data;
}

}  // namespace

FigureKind small_gradient_kind() {
  return {
      .name = "small_gradient",
      .doc = "A small gradient and a smaller one: held in a format, flushed, scaled, copied to float32, unscaled.",
      .parameters =
          {{.name = "gradient", .preset = "1e-5", .low = 1e-12, .high = 1e4, .doc = "The gradient."},
           {.name = "beside", .preset = "1e-8", .low = 1e-12, .high = 1e4, .doc = "A second gradient, for comparison."},
           {.name = "scale", .preset = "65536", .low = 1, .high = 0x1p24, .doc = "The loss scale."},
           {.name = "lr", .preset = "1e-3", .low = 1e-8, .high = 1, .doc = "The learning rate."},
           {.name = "weight", .preset = "1", .low = -100, .high = 100, .doc = "The weight."},
           {.name = "format", .type = ParameterType::kFormat, .preset = "float16", .doc = "Format of the gradients."}},
      .slider = {.label = "Loss scale", .parameter = "scale", .high = 24, .exponent = true},
      .facts = {{"held", "the gradient in the format, without a scale"},
                {"held_bits", "its bit pattern"},
                {"held_error", "its relative error in percent"},
                {"flushed", "`held` where subnormal numbers are flushed to 0"},
                {"beside_held", "the second gradient in the format, without a scale"},
                {"scaled", "gradient times scale, exact"},
                {"scaled_held", "the same in the format"},
                {"unscaled", "that, copied to float32 and divided by the scale"},
                {"unscaled_error", "its relative error in percent"},
                {"unscaled_narrow", "`scaled_held` divided by the scale in the format"},
                {"beside_scaled_held", "the second gradient, scaled, in the format"},
                {"beside_unscaled", "that, copied to float32 and divided by the scale"},
                {"beside_unscaled_narrow", "`beside_scaled_held` divided by the scale in the format"},
                {"update", "learning rate times `held`, all in the format"},
                {"update_wide", "learning rate times `unscaled`, in float32"},
                {"overflow_gradient", "smallest gradient that overflows at the scale"},
                {"weight_unprotected", "float32 weight after a step that checks nothing"},
                {"weight_checked", "the same if a step that is not finite is skipped"},
                {"exact_lowest", "k of the smallest scale 2^k that loses no bit to the format's range; -1: none"},
                {"exact_highest", "k of the largest such scale, of at most 2^40"}},
      .compute = small_gradient_data};
}

}  // namespace binade::lessons
