// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/scaled_format.h"

#include <algorithm>
#include <array>
#include <vector>

namespace binade::scaled {

namespace {

constexpr ScaledFormat mx(Element element) {
  return {.element = element, .block = {1, 32}, .scale = ScaleFormat::kE8M0};
}

constexpr ScaledFormat nvfp4(int rows) {
  return {.element = Element::kE2M1, .block = {rows, 16}, .scale = ScaleFormat::kE4M3};
}

constexpr ScaledFormat per_tensor(Element element, Scaling scaling) {
  return {.element = element, .scaling = scaling, .block = {1, 1}, .scale = ScaleFormat::kFloat32};
}

constexpr ScaledFormat fp8_block(Element element, int rows) {
  return {.element = element, .block = {rows, 128}, .scale = ScaleFormat::kFloat32};
}

constexpr std::array kNamed{
    NamedScaledFormat{"mxfp8", "E4M3 in blocks of 32 with power-of-two scales (OCP MX)", mx(Element::kE4M3)},
    NamedScaledFormat{"mxfp8_e5m2", "E5M2 in blocks of 32 with power-of-two scales (OCP MX)", mx(Element::kE5M2)},
    NamedScaledFormat{"mxfp6_e2m3", "E2M3 in blocks of 32 with power-of-two scales (OCP MX)", mx(Element::kE2M3)},
    NamedScaledFormat{"mxfp6_e3m2", "E3M2 in blocks of 32 with power-of-two scales (OCP MX)", mx(Element::kE3M2)},
    NamedScaledFormat{"mxfp4", "E2M1 in blocks of 32 with power-of-two scales (OCP MX)", mx(Element::kE2M1)},
    NamedScaledFormat{"nvfp4", "E2M1 in blocks of 16 with E4M3 scales and a scale of the tensor (NVIDIA)", nvfp4(1)},
    NamedScaledFormat{"nvfp4_16x16",
                      "E2M1 in blocks of 16 × 16 with E4M3 scales and a scale of the tensor, for weights", nvfp4(16)},
    NamedScaledFormat{"fp8_current", "E4M3 with one scale, from the tensor itself",
                      per_tensor(Element::kE4M3, Scaling::kCurrent)},
    NamedScaledFormat{"fp8_current_e5m2", "E5M2 with one scale, from the tensor itself",
                      per_tensor(Element::kE5M2, Scaling::kCurrent)},
    NamedScaledFormat{"fp8_delayed", "E4M3 with one scale, from earlier steps",
                      per_tensor(Element::kE4M3, Scaling::kDelayed)},
    NamedScaledFormat{"fp8_delayed_e5m2", "E5M2 with one scale, from earlier steps",
                      per_tensor(Element::kE5M2, Scaling::kDelayed)},
    NamedScaledFormat{"fp8_block", "E4M3 in blocks of 128 with float32 scales", fp8_block(Element::kE4M3, 1)},
    NamedScaledFormat{"fp8_block_e5m2", "E5M2 in blocks of 128 with float32 scales", fp8_block(Element::kE5M2, 1)},
    NamedScaledFormat{"fp8_block_128x128", "E4M3 in blocks of 128 × 128 with float32 scales, for weights",
                      fp8_block(Element::kE4M3, 128)},
};

/// An option of a name: whether a format can have it, and what it changes.
struct Option {
  std::string_view name;
  bool (*fits)(const ScaledFormat&);
  bool (*has)(const ScaledFormat&);
  void (*set)(ScaledFormat&);
};

bool is_mx(const ScaledFormat& format) {
  return format.scale == ScaleFormat::kE8M0;
}

bool has_float_scale(const ScaledFormat& format) {
  return format.scale == ScaleFormat::kFloat32 || format.scale == ScaleFormat::kPowerOfTwo;
}

bool any(const ScaledFormat& /*format*/) {
  return true;
}

template <ScaleRule kRule>
constexpr Option rule_option(std::string_view name) {
  return {name, is_mx, [](const ScaledFormat& format) { return is_mx(format) && format.rule == kRule; },
          [](ScaledFormat& format) { format.rule = kRule; }};
}

/// In the order in which name() writes them.
constexpr std::array kOptions{
    rule_option<ScaleRule::kRceil>("rceil"),
    rule_option<ScaleRule::kCeil>("ceil"),
    rule_option<ScaleRule::kEven>("even"),
    // Delayed scaling has no power-of-two scales in Transformer Engine.
    Option{"pow2", [](const ScaledFormat& f) { return has_float_scale(f) && f.scaling != Scaling::kDelayed; },
           [](const ScaledFormat& f) { return f.scale == ScaleFormat::kPowerOfTwo; },
           [](ScaledFormat& f) { f.scale = ScaleFormat::kPowerOfTwo; }},
    Option{"stochastic", any, [](const ScaledFormat& f) { return f.rounding == Rounding::kStochastic; },
           [](ScaledFormat& f) { f.rounding = Rounding::kStochastic; }},
    Option{"hadamard", any, [](const ScaledFormat& f) { return f.transform; },
           [](ScaledFormat& f) { f.transform = true; }},
};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find('+'); end != std::string_view::npos; end = text.find('+')) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

/// The format of a text, and why it is none.
struct Parsed {
  std::optional<ScaledFormat> format;
  std::string problem;
};

Parsed read(std::string_view text) {
  const std::vector<std::string_view> parts = split(text);
  const auto named = std::find_if(kNamed.begin(), kNamed.end(),
                                  [&](const NamedScaledFormat& each) { return each.name == parts.front(); });
  if (named == kNamed.end()) {
    std::string names;
    for (const NamedScaledFormat& each : kNamed) names += (names.empty() ? "" : ", ") + std::string(each.name);
    return {std::nullopt, quoted(parts.front()) + " is not a scaled format; these are: " + names};
  }
  ScaledFormat format = named->format;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto option =
        std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& each) { return each.name == parts[i]; });
    if (option == kOptions.end()) {
      std::string names;
      for (const Option& each : kOptions) {
        if (each.fits(named->format)) names += (names.empty() ? "" : ", ") + std::string(each.name);
      }
      return {std::nullopt,
              quoted(parts[i]) + " is not an option of " + std::string(named->name) + "; these are: " + names};
    }
    if (!option->fits(named->format)) {
      return {std::nullopt, std::string(named->name) + " cannot have the option " + quoted(parts[i])};
    }
    const ScaledFormat before = format;
    option->set(format);
    const bool second_rule = is_mx(format) && before.rule != ScaleRule::kFloor && format.rule != before.rule;
    if (format == before || second_rule) {
      return {std::nullopt, quoted(text) + " has the option " + quoted(parts[i]) + " twice or beside another rule"};
    }
  }
  return {format, {}};
}

}  // namespace

double ScaledFormat::bits_per_value() const {
  const double element_bits = layout(element).bits();
  if (scaling != Scaling::kBlocks) return element_bits;
  const double scale_bits = scale == ScaleFormat::kE8M0 || scale == ScaleFormat::kE4M3 ? 8 : 32;
  return element_bits + scale_bits / (block.rows * block.length);
}

std::span<const NamedScaledFormat> named_formats() {
  return kNamed;
}

std::string name(const ScaledFormat& format) {
  ScaledFormat base = format;
  base.rule = ScaleRule::kFloor;
  base.rounding = Rounding::kNearest;
  base.transform = false;
  if (base.scale == ScaleFormat::kPowerOfTwo) base.scale = ScaleFormat::kFloat32;
  const auto named =
      std::find_if(kNamed.begin(), kNamed.end(), [&](const NamedScaledFormat& each) { return each.format == base; });
  std::string text(named == kNamed.end() ? "unnamed" : named->name);
  for (const Option& option : kOptions) {
    if (option.has(format)) text += "+" + std::string(option.name);
  }
  return text;
}

std::optional<ScaledFormat> parse(std::string_view text) {
  return read(text).format;
}

std::string why_not(std::string_view text) {
  return read(text).problem;
}

}  // namespace binade::scaled
