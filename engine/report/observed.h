// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/heat_map.h"
#include "engine/report/run_content.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace binade::report {

/// What the observed steps show of one tensor. Counts are sums over the steps that were read.
struct TensorSummary {
  int tensor = 0;
  double headroom = 0;             ///< smallest number of doublings left, without the -inf of masks
  std::int64_t headroom_step = 0;  ///< the step that had it
  float largest = 0;
  std::uint64_t overflow = 0;
  std::uint64_t underflow = 0;
  std::uint64_t non_finite = 0;
  std::uint64_t values = 0;
  bool censored = false;  ///< some were measured after rounding, so their underflow is not known
};

/// Statistics of tensors in the observed steps, or in evenly chosen ones if there are many.
struct Observed {
  static constexpr std::size_t kMostSteps = 1000;
  static constexpr std::size_t kMostRows = 100;  ///< parameters in the heat map

  std::int64_t steps = 0;              ///< that were observed
  std::int64_t read = 0;               ///< of these
  Envelope forward;                    ///< smallest headroom of outputs and arguments
  Envelope backward;                   ///< smallest headroom of gradients of the scaled loss
  std::vector<HeatRow> gradients;      ///< of parameters: exponents of their root mean square
  std::size_t all_gradients = 0;       ///< number of parameters with a gradient
  std::vector<TensorSummary> tensors;  ///< those with a finite headroom, the smallest first
};

/// Reads the statistics of the steps in `content`. `go_on` as in read_content().
Observed read_observed(const record::RunReader& reader, const RunContent& content,
                       const std::function<bool(std::int64_t steps)>& go_on);

}  // namespace binade::report
