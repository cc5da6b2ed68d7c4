// SPDX-License-Identifier: Apache-2.0
#include "tests/profiler/simulated_steps.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace binade::test {

SimulatedSteps::SimulatedSteps(const Options& options) {
  std::mt19937_64 random(options.seed);
  std::lognormal_distribution<double> duration(std::log(options.median), 1.1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal(0, 1);
  for (int i = 0; i < options.ops; ++i) {
    durations.push_back(std::clamp(duration(random), 2e3, 3e6));
    truth.push_back(uniform(random) < 0.5 ? 0 : 20 + 75 * uniform(random));
  }
  struct Piece {
    double start, end, percent;
  };
  std::vector<Piece> pieces;
  constexpr double kZero = 1e12;
  double time = kZero;
  for (int step = 0; step < options.steps; ++step) {
    for (int i = 0; i < options.ops; ++i) {
      const auto op = static_cast<std::size_t>(i);
      const double length = durations[op] * (1 + 0.03 * normal(random));
      const double percent = std::clamp(truth[op] * (1 + options.vary * normal(random)), 0.0, 100.0);
      pieces.push_back({time, time + length, percent});
      kernels.push_back({.start = static_cast<std::uint64_t>(time + options.jitter * normal(random)),
                         .end = static_cast<std::uint64_t>(time + length + options.jitter * normal(random)),
                         .op = op + 1});
      time += length + 1e3 + 2e3 * uniform(random);
    }
    time += 50e3 * uniform(random);
  }
  std::size_t first = 0;
  for (double start = kZero - 1e6; start < time; start += options.interval) {
    const double end = start + options.interval;
    double value = 0;
    while (first < pieces.size() && pieces[first].end < start) ++first;
    for (std::size_t i = first; i < pieces.size() && pieces[i].start < end; ++i) {
      value += pieces[i].percent * std::max(0.0, std::min(pieces[i].end, end) - std::max(pieces[i].start, start));
    }
    profiler::Sample& sample = samples.emplace_back();
    sample.start = static_cast<std::uint64_t>(start + options.offset);
    sample.end = static_cast<std::uint64_t>(end + options.offset);
    sample.values[profiler::Channel::kTensor] =
        static_cast<float>(std::max(0.0, value / options.interval + 0.2 * normal(random)));
  }
}

}  // namespace binade::test
