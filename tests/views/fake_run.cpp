// SPDX-License-Identifier: Apache-2.0
#include "tests/views/fake_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace binade::test {

std::vector<FakeStep> fakeRun(int steps, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 1);
  std::vector<FakeStep> run;
  int scale = 24;
  int good = 0;
  for (int i = 0; i < steps; ++i) {
    FakeStep s;
    s.step = i;
    const double base = 0.35 + 1.95 * std::exp(-i / 110.0);
    s.loss = std::max(0.05, base * (1 + 0.12 * noise(random)));
    s.learningRate = 0.05 * std::min(1.0, (i + 1) / 100.0) * (0.5 + 0.5 * std::cos(3.14159 * i / std::max(steps, 1)));
    s.seconds = 0.0209 * (1 + 0.05 * std::fabs(noise(random)));
    s.scaleLog2 = scale;
    // What fits rises slowly as gradients shrink.
    const double fits = 16.6 + 3.0 * std::min(1.0, i / 700.0) + 0.25 * noise(random);
    s.skipped = scale > fits;
    if (s.skipped) {
      s.backOff = true;
      --scale;
      good = 0;
    } else if (++good == 200) {
      s.growth = true;
      ++scale;
      good = 0;
    }
    s.gradientNorm = s.skipped ? std::numeric_limits<double>::quiet_NaN()
                               : (0.4 + 2.2 * std::exp(-i / 160.0)) * (1 + 0.2 * std::fabs(noise(random)));
    run.push_back(s);
  }
  return run;
}

formats::TensorStats fakeStats(double centre, double spread, std::uint64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 1);
  formats::TensorStats stats;
  stats.count = count;
  stats.zero = count / 10;
  const auto rest = static_cast<double>(count - stats.zero);
  // The share below an exponent; gradients have a longer tail below than above.
  const auto below = [&](double exponent) {
    const double wide = exponent < centre ? spread * 1.6 : spread;
    return 0.5 * std::erfc((centre - exponent) / wide / std::sqrt(2.0));
  };
  std::uint64_t placed = 0;
  for (int i = 0; i < formats::kBinades; ++i) {
    const int b = formats::kFirstBinade + i;
    const double expected = rest * (below(b + 1) - below(b));
    const double drawn = std::round(expected + 0.8 * std::sqrt(expected) * noise(random));
    if (drawn < 1) continue;
    stats.binades[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(drawn);
    placed += static_cast<std::uint64_t>(drawn);
    if (stats.smallest == 0) stats.smallest = static_cast<float>(std::ldexp(1.2, b));
    stats.largest = static_cast<float>(std::ldexp(1.6, b));
  }
  stats.count = stats.zero + placed;
  return stats;
}

formats::TensorStats statsOf(const std::vector<float>& values, const formats::Format& watched) {
  return formats::measure(values, watched);
}

}  // namespace binade::test
