// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/kind_list.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace binade::lessons {

namespace {

constexpr int kChainScales = 24;  ///< exponent of the largest scale of the slider

/// The gradients of a chain from the loss (0) to its first layer, each held in a format.
struct Chain {
  int layers = 0;
  double factor = 0;
  double first = 0;

  std::vector<double> in(const formats::Format& format, double scale) const {
    std::vector<double> gradients = {held(first * scale, format)};
    for (int layer = 1; layer <= layers; ++layer) {
      gradients.push_back(held(gradients.back() * factor, format));
    }
    return gradients;
  }

  double exact(int layer) const { return first * std::pow(factor, layer); }
};

int layer_with(const std::vector<double>& gradients, Role role, const formats::Format& format) {
  for (std::size_t layer = 0; layer < gradients.size(); ++layer) {
    if (role_of(gradients[layer], format) == role) return static_cast<int>(layer);
  }
  return -1;
}

bool keeps_all(const std::vector<double>& gradients, const formats::Format& format) {
  return layer_with(gradients, Role::kZero, format) < 0 && layer_with(gradients, Role::kOverflow, format) < 0;
}

void add_chain_facts(FigureData& data, const Chain& chain, const formats::Format& format, double scale) {
  const std::vector<double> scaled = chain.in(format, scale);
  // The same precision without a limit of range: what the chain is where nothing leaves the format.
  const std::vector<double> unlimited = chain.in({8, format.mantissa_bits}, 1);
  int kept = 0;
  int exact = 0;
  for (std::size_t layer = 1; layer < scaled.size(); ++layer) {
    const Role role = role_of(scaled[layer], format);
    if (role != Role::kZero && role != Role::kOverflow) ++kept;
    if (held(scaled[layer] / scale, formats::kFloat32) == unlimited[layer]) ++exact;
  }
  std::optional<int> lowest;
  std::optional<int> highest;
  for (int exponent = 0; exponent <= kChainScales; ++exponent) {
    if (!keeps_all(chain.in(format, power_of_two(exponent)), format)) continue;
    lowest = lowest.value_or(exponent);
    highest = exponent;
  }
  const auto layer_fact = [&](const char* name, Role role) {
    const int layer = layer_with(scaled, role, format);
    add_fact(data, name, layer, layer < 0 ? "none" : std::to_string(layer));
  };
  layer_fact("zero_layer", Role::kZero);
  layer_fact("subnormal_layer", Role::kSubnormal);
  layer_fact("overflow_layer", Role::kOverflow);
  add_fact(data, "kept", kept);
  add_fact(data, "lost", chain.layers - kept);
  add_fact(data, "exact", exact);
  add_fact(data, "last_true", chain.exact(chain.layers));
  add_fact(data, "last_held", scaled.back());
  add_fact(data, "last_unscaled", held(scaled.back() / scale, formats::kFloat32));
  const auto scale_fact = [&](const char* name, std::optional<int> exponent) {
    add_fact(data, name, exponent.value_or(-1), exponent ? std::to_string(*exponent) : "none");
  };
  scale_fact("lowest_exponent", lowest);
  scale_fact("highest_exponent", highest);
}

Panel chain_panel(const Chain& chain, const formats::Format& format, double scale) {
  Panel panel;
  panel.x = {"layer, from the loss", AxisScale::kLinear, -0.5, chain.layers + 0.5};
  panel.y = {"gradient", AxisScale::kLog2, power_of_two(-48), power_of_two(20)};
  add_window(panel, format, false);
  Series unscaled{.title = "exact, at scale 1", .role = Role::kPast};
  const std::vector<double> scaled = chain.in(format, scale);
  for (int layer = 0; layer <= chain.layers; ++layer) {
    const auto row = static_cast<std::size_t>(layer);
    panel.bar_labels.push_back(std::to_string(layer));
    panel.bars.push_back({.row = row,
                          .from = panel.y.low,
                          .to = scaled[row] == 0 ? chain.exact(layer) * scale : scaled[row],
                          .text = brief_text(scaled[row]),
                          .format = format,
                          .role = role_of(scaled[row], format)});
    unscaled.points.push_back({layer * 1.0, chain.exact(layer)});
  }
  panel.series = {std::move(unscaled)};
  return panel;
}

FigureData chain_data(const Parameters& parameters) {
  const formats::Format& format = parameters.format("format");
  const double scale = parameters.number("scale");
  const Chain chain{parameters.count("layers"), parameters.number("factor"), parameters.number("first")};
  const std::vector<double> scaled = chain.in(format, scale);
  FigureData data;
  data.title = "Gradients on their way back from the loss";
  add_chain_facts(data, chain, format, scale);
  data.panels = {chain_panel(chain, format, scale)};
  data.table.heads = {"layer", "exact", "scaled, in " + formats::name(format), "", "unscaled in float32"};
  for (int layer = 0; layer <= chain.layers; ++layer) {
    const double each = scaled[static_cast<std::size_t>(layer)];
    data.table.rows.push_back({std::to_string(layer), number_text(chain.exact(layer)), number_text(each),
                               role_text(role_of(each, format)), number_text(held(each / scale, formats::kFloat32))});
  }
  const bool keeps_none = data.fact("lowest_exponent")->value < 0;
  data.text =
      "A gradient of " + number_text(chain.first) + " at the loss is multiplied by " + number_text(chain.factor) +
      " in each of " + std::to_string(chain.layers) + " layers, with a loss scale of " + number_text(scale) + ", in " +
      formats::name(format) + ". " + data.fact("kept")->text +
      " layers receive a gradient. First subnormal layer: " + data.fact("subnormal_layer")->text +
      "; first layer with 0: " + data.fact("zero_layer")->text +
      "; first layer that overflows: " + data.fact("overflow_layer")->text + ". The last gradient, unscaled, is " +
      data.fact("last_unscaled")->text + " instead of " + data.fact("last_true")->text + ". " +
      (keeps_none ? "No scale from 2^0 to 2^24 keeps all layers."
                  : "Scales from 2^" + data.fact("lowest_exponent")->text + " to 2^" +
                        data.fact("highest_exponent")->text + " keep all layers.");
  return data;
}

}  // namespace

FigureKind chain_kind() {
  return {.name = "chain",
          .doc =
              "A stylised backward pass: the gradient shrinks by one factor in every layer, and a loss scale lifts "
              "it into the format's range.",
          .parameters = {{.name = "layers",
                          .type = ParameterType::kCount,
                          .preset = "10",
                          .low = 1,
                          .high = 30,
                          .doc = "Number of layers."},
                         {.name = "factor",
                          .preset = "0.1",
                          .low = 1e-3,
                          .high = 2,
                          .doc = "Ratio of a layer's gradient to that of the layer after it."},
                         {.name = "first", .preset = "1", .low = 1e-6, .high = 1e4, .doc = "Gradient at the loss."},
                         {.name = "scale", .preset = "1", .low = 1, .high = 0x1p24, .doc = "The loss scale."},
                         {.name = "format",
                          .type = ParameterType::kFormat,
                          .preset = "float16",
                          .doc = "Format of the gradients."}},
          .slider = {.label = "Loss scale", .parameter = "scale", .high = kChainScales, .exponent = true},
          .facts = {{"zero_layer", "first layer whose gradient is 0; -1 if there is none. Layer 0 is the loss"},
                    {"subnormal_layer", "first layer whose gradient is subnormal; -1 if there is none"},
                    {"overflow_layer", "first layer whose gradient overflows; -1 if there is none"},
                    {"kept", "layers that receive a finite gradient other than 0"},
                    {"lost", "all other layers"},
                    {"exact",
                     "layers whose unscaled gradient has all bits that a format of this precision without "
                     "limits of range would give"},
                    {"last_true", "exact gradient of the last layer, unscaled"},
                    {"last_held", "its scaled gradient in the format"},
                    {"last_unscaled", "the same divided by the scale, in float32"},
                    {"lowest_exponent", "k of the smallest scale 2^k of 2^0 to 2^24 that keeps all layers; -1: none"},
                    {"highest_exponent", "k of the largest such scale"}},
          .compute = chain_data};
}

}  // namespace binade::lessons
