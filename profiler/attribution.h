// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/kernel_source.h"
#include "profiler/sample_source.h"

#include <cstddef>
#include <vector>

namespace binade::profiler {

/// One op's share in the samples of a device.
struct OpShare {
  OpKey op = kOutsideOps;
  double percent = 0;       ///< the channel's mean while this op ran, 0..100
  double error = 0;         ///< standard error of it, from what the fit leaves unexplained; infinite where undetermined
  double overlap = 0;       ///< what giving each sample to the ops under it would have said: far worse, for comparison
  double busy_seconds = 0;  ///< sum over its kernels
  std::size_t kernels = 0;
};

struct Attribution {
  std::vector<OpShare> ops;  ///< in order of first appearance
  double shift_seconds = 0;  ///< added to the samples' times: how far their clock is from the kernels'
  double unexplained = 0;    ///< root mean square of what remains, in percentage points
  std::size_t samples = 0;   ///< used
};

struct AttributionOptions {
  Channel channel = Channel::kTensor;
  bool find_shift = true;
  double shift_span = 40e-6;  ///< searched to both sides, seconds
};

/// Joins samples with kernel records: for sample i of length L, the sum over ops of overlap(i, op) * u(op) is y(i) * L.
/// One unknown an op over all its runs, 0 <= u <= 100, least squares by coordinate descent on the normal equations. A
/// shift between the two clocks is taken where it explains at least 2 % more. Kernels and samples in any order.
Attribution attribute(std::vector<Kernel> kernels, const std::vector<Sample>& samples,
                      const AttributionOptions& options = {});

}  // namespace binade::profiler
