// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/sample_source.h"

#include <cstdint>
#include <vector>

namespace binade::profiler {

/// The mean of the samples in one time slice of the chart, weighted by their overlap with it.
struct Bin {
  std::uint64_t start = 0;  ///< nanoseconds, a multiple of the width
  std::uint64_t width = 0;
  double covered = 0;  ///< fraction of the slice that samples cover, 0 to 1
  Values values;
};

/// Folds samples into bins. A sample across an edge counts on both sides. Slices without samples give no bin, so a gap
/// is not shown as zero.
class BinFolder {
 public:
  explicit BinFolder(std::uint64_t width = 10'000'000) : width_(width) {}

  /// Adds a sample; samples must be in order of time. Appends each bin that is complete.
  void add(const Sample& sample, std::vector<Bin>& finished);

  /// Completes the current bin.
  void finish(std::vector<Bin>& finished);

 private:
  void close(std::vector<Bin>& finished);

  std::uint64_t width_;
  std::uint64_t start_ = 0;
  bool open_ = false;
  double weight_ = 0;
  std::array<double, kChannels> sums_{};
  std::array<double, kChannels> weights_{};
};

}  // namespace binade::profiler
