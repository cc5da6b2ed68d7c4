// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace binade::wire {

/// A process of a run on several. Rank 0 takes the requests and reports the run.
struct RankInfo {
  int rank = 0;
  std::string host;    ///< name of its computer
  std::string device;  ///< description: `CPU, 2 threads`
  friend bool operator==(const RankInfo&, const RankInfo&) = default;
};

/// One rank's part of a step. Every other figure of a step is the same on all ranks, or is their sum.
struct RankFacts {
  int rank = 0;
  double seconds = 0;      ///< wall time of its own forward and backward, up to its wait for the other ranks
  double waited = 0;       ///< wall time that it then waited for gradients of the others
  bool found_inf = false;  ///< its own examples gave a gradient or loss that is not finite
  /// If `found_inf`: index in the data of each of its examples in the step, as in BadRows::examples. Empty: random
  /// data. The examples that are not finite are in the diagnosis of the rank with the first cause.
  std::vector<std::int64_t> rows;
  /// Share of time with busy tensor cores, 0 to 100 %, since the last report of its profiler; NaN: not measured.
  double tensor = std::numeric_limits<double>::quiet_NaN();
  friend bool operator==(const RankFacts&, const RankFacts&) = default;
};

}  // namespace binade::wire
