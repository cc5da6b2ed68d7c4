// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/draws.h"
#include "engine/lessons/kind_list.h"
#include "engine/lessons/scaled_tail.h"

#include <cmath>
#include <vector>

namespace binade::lessons {

namespace {

/// Magnitudes whose logarithms are distributed normally; the mantissa goes linearly through each binade.
std::vector<float> magnitudes(double center, double spread, int count, int seed) {
  Draws draws(static_cast<std::uint64_t>(seed));
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double exponent = center + spread * draws.normal();
    const double whole = std::floor(exponent);
    values.push_back(static_cast<float>(std::ldexp(1 + (exponent - whole), static_cast<int>(whole))));
  }
  return values;
}

FigureData scaled_tail_data(const Parameters& parameters) {
  const formats::Format& format = parameters.format("format");
  const std::vector<float> values = magnitudes(parameters.number("center"), parameters.number("spread"),
                                               parameters.count("values"), parameters.count("seed"));
  return scaled_tail_of(formats::measure(values, format, formats::Depth::kWhatIf), format,
                        static_cast<int>(std::lround(std::log2(parameters.number("scale")))),
                        parameters.number("allowed"));
}

}  // namespace

FigureKind scaled_tail_kind() {
  return {
      .name = "scaled_tail",
      .doc =
          "The histogram of a gradient against a format's range, moved by the loss scale. The gradient is drawn "
          "from a seed; its magnitudes spread around a centre.",
      .parameters =
          {{.name = "center",
            .preset = "-21",
            .low = -60,
            .high = 10,
            .doc = "Exponent of 2 around which the magnitudes lie."},
           {.name = "spread", .preset = "3", .low = 0.1, .high = 10, .doc = "Standard deviation of the exponents."},
           {.name = "values",
            .type = ParameterType::kCount,
            .preset = "8192",
            .low = 100,
            .high = 65536,
            .doc = "Number of values."},
           {.name = "seed", .type = ParameterType::kCount, .preset = "1", .high = 1e6, .doc = "Seed of the values."},
           {.name = "allowed",
            .preset = "0.001",
            .low = 1e-5,
            .high = 1,
            .doc = "Share of the values that may become 0 at `smallest_exponent`."},
           {.name = "scale",
            .preset = "1",
            .low = 1,
            .high = 0x1p24,
            .doc = "The loss scale; the nearest power of two is taken."},
           {.name = "format", .type = ParameterType::kFormat, .preset = "float16", .doc = "Format of the gradient."}},
      .slider = {.label = "Loss scale", .parameter = "scale", .high = 24, .exponent = true},
      .facts = {{"zero", "values that become 0, in percent of the non-zero ones"},
                {"subnormal", "values that become subnormal, in percent"},
                {"normal", "values that stay normal, in percent"},
                {"overflow", "values that overflow, in percent"},
                {"zero_at_1", "values that become 0 without a scale"},
                {"subnormal_at_1", "values that become subnormal without a scale"},
                {"normal_at_1", "values that stay normal without a scale"},
                {"overflow_at_1", "values that overflow without a scale"},
                {"smallest_exponent", "k of the smallest scale 2^k at which less than `allowed` becomes 0; -1: none"},
                {"highest_exponent", "k of the largest scale 2^k without overflow; -1: none"}},
      .compute = scaled_tail_data};
}

}  // namespace binade::lessons
