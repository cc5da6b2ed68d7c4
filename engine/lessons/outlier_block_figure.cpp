// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/draws.h"
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"
#include "engine/scaled/hadamard.h"
#include "engine/scaled/quantizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace binade::lessons {

namespace {

constexpr std::size_t kValues = 32;
constexpr std::size_t kGroup = scaled::Hadamard::kSize;
constexpr std::array kNames{"mxfp8", "mxfp4", "nvfp4"};

using Block = std::array<float, kValues>;

/// The outlier first, then 31 neighbours around 0 with a standard deviation of 1.
Block block_of(double outlier, int seed) {
  Draws draws(static_cast<std::uint64_t>(seed));
  Block values{};
  values[0] = static_cast<float>(outlier);
  for (std::size_t i = 1; i < kValues; ++i) values[i] = static_cast<float>(draws.normal());
  return values;
}

/// A block as a device would multiply it, and what is restored of its values.
struct Quantized {
  Block restored{};
  std::array<float, 2> scales{};  ///< of the first 16 values and of the others; equal in blocks of 32
  int zeros = 0;                  ///< neighbours that became 0; with the transform, any of the 32 transformed values
  int far_zeros = 0;              ///< of these: among the last 16 values
  double error = 0;     ///< of the neighbours: root mean square of the errors in percent of that of the values
  double noise_db = 0;  ///< signal to noise of all 32 values
};

Quantized quantize(const Block& values, const std::string& name) {
  const scaled::ScaledFormat format = scaled::parse(name).value();
  const scaled::Quantizer quantizer(format);
  Block held{};
  const auto columns = static_cast<std::int64_t>(kValues);
  const scaled::InputView from{.data = values.data(), .rows = 1, .columns = columns, .row_stride = columns};
  const scaled::OutputView to{.data = held.data(), .row_stride = columns};
  scaled::Codes codes(format, 1, columns);
  quantizer.whole(from, to, {.codes = &codes});
  Quantized result;
  result.scales = {codes.scales.front(), codes.scales.back()};
  const std::size_t first = format.transform ? 0 : 1;
  for (std::size_t i = first; i < kValues; ++i) {
    if (held[i] != 0) continue;
    ++result.zeros;
    if (i >= kGroup) ++result.far_zeros;
  }
  if (format.transform) {
    const scaled::Hadamard transform(0);  // as the quantizer's
    for (std::size_t group = 0; group < kValues; group += kGroup) transform.inverse(held.data() + group);
  }
  result.restored = held;
  std::array<double, 2> noise{};  // of the neighbours, of all values
  std::array<double, 2> signal{};
  for (std::size_t i = 0; i < kValues; ++i) {
    const double value = static_cast<double>(values[i]);
    const double error = static_cast<double>(held[i]) - value;
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}}) {
      if (part == 0 && i == 0) continue;
      noise[part] += error * error;
      signal[part] += value * value;
    }
  }
  result.error = 100 * std::sqrt(noise[0] / signal[0]);
  result.noise_db = 10 * std::log10(signal[1] / noise[1]);
  return result;
}

/// The columns of values that became 0, as bands.
void add_lost(Panel& panel, const Block& restored) {
  for (std::size_t i = 0; i < kValues; ++i) {
    if (restored[i] != 0) continue;
    std::size_t end = i + 1;
    while (end < kValues && restored[end] == 0) ++end;
    panel.bands.push_back({.from = static_cast<double>(i), .to = static_cast<double>(end), .role = Role::kZero});
    i = end;
  }
}

/// Magnitudes of the 32 values: as they are and as they are restored.
Panel panel_of(const std::string& name, const Block& values, const Block& restored, double high) {
  constexpr double kLowest = 0x1p-6;
  Panel panel;
  panel.title = name;
  panel.x = {"value", AxisScale::kLinear, 0, static_cast<double>(kValues)};
  panel.y = {"magnitude", AxisScale::kLog2, kLowest, high};
  Series before{.title = "before", .role = Role::kPast, .steps = true};
  Series after{.title = name, .role = Role::kNormal, .steps = true, .filled = true};
  for (std::size_t i = 0; i <= kValues; ++i) {
    const std::size_t at = std::min(i, kValues - 1);  // a step needs an end
    before.points.push_back({static_cast<double>(i), std::fabs(static_cast<double>(values[at]))});
    after.points.push_back({static_cast<double>(i), std::fabs(static_cast<double>(restored[at]))});
  }
  panel.series = {std::move(after), std::move(before)};
  add_lost(panel, restored);
  return panel;
}

std::string decibels(double db) {
  const double tenth = std::round(10 * db) / 10;
  return number_text(tenth) + " dB";
}

FigureData outlier_block_data(const Parameters& parameters) {
  const double outlier = parameters.number("outlier");
  const Block values = block_of(outlier, parameters.count("seed"));
  FigureData data;
  data.title = "One outlier and 31 neighbours";
  data.table.heads = {
      "format",         "scale", "scale of the last 16", "neighbours that become 0", "error of the neighbours",
      "signal to noise"};
  double largest = 0;
  for (std::size_t i = 1; i < kValues; ++i) largest = std::max(largest, std::fabs(static_cast<double>(values[i])));
  add_fact(data, "largest_neighbour", largest);
  data.text = "One value is " + number_text(outlier) + ", and the largest of its 31 neighbours is " +
              number_text(largest) + '.';
  for (const std::string name : kNames) {
    for (const bool transformed : {false, true}) {
      const Quantized made = quantize(values, transformed ? name + "+hadamard" : name);
      const std::string fact = transformed ? name + "_hadamard" : name;
      const std::string words = transformed ? name + " with the Hadamard transform" : name;
      add_fact(data, fact + "_zero", made.zeros);
      add_fact(data, fact + "_error", made.error, error_text(made.error));
      add_fact(data, fact + "_snr", made.noise_db, decibels(made.noise_db));
      if (!transformed) {
        add_fact(data, fact + "_scale", static_cast<double>(made.scales[0]));
        add_fact(data, fact + "_far_scale", static_cast<double>(made.scales[1]));
        add_fact(data, fact + "_far_zero", made.far_zeros);
        data.panels.push_back(panel_of(name, values, made.restored, std::max(4.0, 2 * outlier)));
        data.panels.back().title += made.zeros == 0 ? ": no neighbour becomes 0"
                                                    : ": " + number_text(made.zeros) + " of 31 neighbours become 0";
      }
      const std::string zeros = number_text(made.zeros);
      data.table.rows.push_back(
          {words, number_text(static_cast<double>(made.scales[0])), number_text(static_cast<double>(made.scales[1])),
           transformed ? zeros + " of the transformed" : zeros, error_text(made.error), decibels(made.noise_db)});
      data.text += ' ' + words + ": " + zeros + (transformed ? " transformed values become 0" : " neighbours become 0");
      if (!transformed) data.text += " (" + number_text(made.far_zeros) + " of the last 16)";
      data.text += ", the neighbours are " + error_text(made.error) +
                   " off, and the signal to noise of all values is " + decibels(made.noise_db) + '.';
    }
  }
  return data;
}

/// The facts of a format, with and without the transform.
void add_facts(std::vector<FactKind>& facts) {
  facts.insert(facts.end(),
               {{"largest_neighbour", "magnitude of the largest neighbour"},
                {"mxfp8_zero", "neighbours that become 0 in mxfp8"},
                {"mxfp8_far_zero", "the same among the last 16 values"},
                {"mxfp8_error", "root mean square error of the neighbours, in percent of theirs"},
                {"mxfp8_snr", "signal to noise of all 32 values in dB"},
                {"mxfp8_scale", "scale of the block"},
                {"mxfp8_far_scale", "scale of the last 16 values"},
                {"mxfp8_hadamard_zero", "transformed values that become 0"},
                {"mxfp8_hadamard_error", "error of the neighbours after the inverse transform"},
                {"mxfp8_hadamard_snr", "signal to noise after the inverse transform in dB"},
                {"mxfp4_zero", "as `mxfp8_zero`, in mxfp4"},
                {"mxfp4_far_zero", "as `mxfp8_far_zero`, in mxfp4"},
                {"mxfp4_error", "as `mxfp8_error`, in mxfp4"},
                {"mxfp4_snr", "as `mxfp8_snr`, in mxfp4"},
                {"mxfp4_scale", "as `mxfp8_scale`, in mxfp4"},
                {"mxfp4_far_scale", "as `mxfp8_far_scale`, in mxfp4"},
                {"mxfp4_hadamard_zero", "as `mxfp8_hadamard_zero`, in mxfp4"},
                {"mxfp4_hadamard_error", "as `mxfp8_hadamard_error`, in mxfp4"},
                {"mxfp4_hadamard_snr", "as `mxfp8_hadamard_snr`, in mxfp4"},
                {"nvfp4_zero", "as `mxfp8_zero`, in nvfp4"},
                {"nvfp4_far_zero", "as `mxfp8_far_zero`, in nvfp4, whose last 16 values are a block of their own"},
                {"nvfp4_error", "as `mxfp8_error`, in nvfp4"},
                {"nvfp4_snr", "as `mxfp8_snr`, in nvfp4"},
                {"nvfp4_scale", "scale of the first block in nvfp4, that of the tensor included"},
                {"nvfp4_far_scale", "scale of the second block"},
                {"nvfp4_hadamard_zero", "as `mxfp8_hadamard_zero`, in nvfp4"},
                {"nvfp4_hadamard_error", "as `mxfp8_hadamard_error`, in nvfp4"},
                {"nvfp4_hadamard_snr", "as `mxfp8_hadamard_snr`, in nvfp4"}});
}

}  // namespace

FigureKind outlier_block_kind() {
  FigureKind kind{
      .name = "outlier_block",
      .doc =
          "32 neighbouring values of a row, of which the first is an outlier, in formats whose values share scales: "
          "mxfp8, mxfp4 and nvfp4, each with and without the Hadamard transform. The tensor has no other values.",
      .parameters = {{.name = "outlier", .preset = "64", .low = 0x1p-2, .high = 0x1p20, .doc = "The first value."},
                     {.name = "seed",
                      .type = ParameterType::kCount,
                      .preset = "1",
                      .high = 1e6,
                      .doc = "Seed of the neighbours, which have a standard deviation of 1."}},
      .slider = {.label = "Outlier", .parameter = "outlier", .high = 14, .exponent = true},
      .facts = {},
      .compute = outlier_block_data};
  add_facts(kind.facts);
  return kind;
}

}  // namespace binade::lessons
