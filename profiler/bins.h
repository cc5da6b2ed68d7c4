// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/sample_source.h"

#include <cstdint>
#include <vector>

namespace binade::profiler {

/// The mean of the samples in one slice of the chart, each by the time it covers there.
struct Bin {
  std::uint64_t start = 0;  ///< nanoseconds, a multiple of the width
  std::uint64_t width = 0;
  double covered = 0;  ///< share of the slice that samples cover, 0..1
  Values values;
};

/// Folds samples into bins as they come. A sample that reaches over an edge counts on both sides. Bins without samples
/// are left out: a gap is a gap, and no zero.
class BinFolder {
 public:
  explicit BinFolder(std::uint64_t width = 10'000'000) : width_(width) {}

  /// Samples in order of time; appends every bin that a later one has begun behind.
  void add(const Sample& sample, std::vector<Bin>& finished);

  /// Ends the bin under way.
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
