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
  double percent = 0;  ///< the channel's mean while this op ran, 0 to 100
  double error = 0;    ///< its standard error, from the residual of the fit; infinite if undetermined
  double overlap = 0;  ///< for comparison: the much poorer estimate that assigns each sample to the overlapping
                       ///< ops
  std::size_t kernels = 0;
};

struct Attribution {
  std::vector<OpShare> ops;  ///< in order of first appearance
  double shift_seconds = 0;  ///< added to the samples' times: offset between the clocks of samples and kernels
  double unexplained = 0;    ///< root mean square of the residual, in percentage points
  std::size_t samples = 0;   ///< number used
};

struct AttributionOptions {
  Channel channel = Channel::kTensor;
  bool find_shift = true;     ///< otherwise `shift` is applied
  double shift = 0;           ///< seconds
  double shift_span = 40e-6;  ///< search range in both directions, seconds
};

/// Estimates each op's share from samples and kernel records. For sample i of length L the model is: the sum over ops
/// of overlap(i, op) * u(op) equals y(i) * L. One unknown per op over all its runs, 0 <= u <= 100, least squares by
/// coordinate descent on the normal equations. A clock shift that is looked for is applied if it reduces the residual
/// by at least 2 %. Kernels and samples may be in any order.
Attribution attribute(std::vector<Kernel> kernels, const std::vector<Sample>& samples,
                      const AttributionOptions& options = {});

}  // namespace binade::profiler
