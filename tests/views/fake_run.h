// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <cstdint>
#include <vector>

namespace binade::test {

/// What a short training with loss scaling looks like: starts at 2^24, backs off eight times, grows every 200 steps.
struct FakeStep {
  std::int64_t step = 0;
  double loss = 0;
  double learningRate = 0;
  double gradientNorm = 0;
  double seconds = 0;
  int scaleLog2 = 0;
  bool skipped = false;
  bool backOff = false;
  bool growth = false;
};
std::vector<FakeStep> fakeRun(int steps, unsigned seed = 7);

/// A tensor whose magnitudes spread around 2^centre with `spread` binades; `count` values in all, a tenth of them zero.
formats::TensorStats fakeStats(double centre, double spread, std::uint64_t count = 100'000, unsigned seed = 3);

/// The statistics of exactly these values.
formats::TensorStats statsOf(const std::vector<float>& values, const formats::Format& watched = formats::kFloat16);

}  // namespace binade::test
