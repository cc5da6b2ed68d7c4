// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/kernel_source.h"
#include "profiler/sample_source.h"

#include <vector>

namespace binade::test {

/// Training steps whose ops have a known share of busy tensor cores, as kernel records and as samples. Half of the ops
/// use none; durations are log-normal round 60 µs; times jitter, and shares and durations vary from step to step.
struct SimulatedSteps {
  struct Options {
    int ops = 60;
    int steps = 50;
    double interval = 50e3;  ///< between samples, ns
    double jitter = 300;     ///< of kernel times, ns
    double vary = 0.05;      ///< of an op's share from run to run
    double offset = 0;       ///< of the samples' clock, ns
    double median = 60e3;    ///< of an op's duration, ns
    unsigned seed = 7;
  };
  explicit SimulatedSteps(const Options& options);

  std::vector<profiler::Kernel> kernels;
  std::vector<profiler::Sample> samples;
  std::vector<double> truth;      ///< percent, by op; op i has the key i + 1
  std::vector<double> durations;  ///< ns
};

}  // namespace binade::test
