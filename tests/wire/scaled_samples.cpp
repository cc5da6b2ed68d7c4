// SPDX-License-Identifier: Apache-2.0
#include "tests/wire/samples.h"

namespace binade::test {

wire::QuantizedStep sampleQuantized(std::int64_t step) {
  scaled::BlockStats stats;
  stats.values = 4096;
  stats.non_finite = 1;
  stats.non_zero = 4000;
  stats.to_zero = 500;
  stats.saturated = 25;
  stats.blocks = 128;
  stats.zero_blocks = 2;
  stats.dead_blocks = 1;
  stats.outlier_blocks = 7;
  stats.scales.front() = 1;
  stats.scales[140] = 100;
  stats.scales.back() = 25;
  stats.largest = 448;
  stats.signal = 1024;
  stats.noise = 0.25;
  stats.error = -0.125;
  wire::QuantizedStep quantized{step, {}};
  quantized.operands.push_back({1, policy::Product::kForward, policy::Operand::kInput, "mxfp8", 2, stats, {}});
  stats.scales = {};
  quantized.operands.push_back(
      {1, policy::Product::kGradInput, policy::Operand::kGradient, "fp8_delayed_e5m2", 1, stats, 1.5});
  quantized.operands.push_back(
      {3, policy::Product::kGradWeight, policy::Operand::kWeight, "nvfp4+stochastic", 1, {}, {}});
  return quantized;
}

wire::WhatIf sampleWhatIf(std::int64_t step) {
  wire::WhatIf sample;
  sample.step = step;
  sample.site = 1;
  sample.product = policy::Product::kGradWeight;
  sample.operand = policy::Operand::kGradient;
  sample.present = "nvfp4";
  sample.effects = {{"nvfp4", sampleQuantized(step).operands[0].stats}, {"nvfp4+stochastic", {}}};
  sample.format = "nvfp4";
  sample.blocks = {{3, 16, 1, 0.25, 12.5, {1.5F, 0.1F}, {1.5F, 0}}, {4, 0, 2, 2, 30, {2, -2}, {2, -2}}};
  return sample;
}

}  // namespace binade::test
