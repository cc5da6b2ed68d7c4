// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/series.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::views {

/// The mean of the samples around each sample of a series: centred, and near both ends over as many samples as exist on
/// each side, so that it does not lag. At the newest end a quarter of the window before the sample always counts, so
/// that a single sample does not bend the end of the line. Non-finite samples are left out. Nothing is computed until
/// follow() is called, and then only for samples that were added since, in constant time for each.
class RunningMean {
 public:
  struct Mean {
    double value = 0;  ///< NaN if no sample in the window is finite
    int of = 0;        ///< samples in the window
  };

  /// `of`: samples in a window; below 2 there is no mean.
  explicit RunningMean(int of = 0) : half_(of > 1 ? static_cast<std::size_t>(of) / 2 : 0) {}

  /// The mean around one sample of `values`, summed from the samples themselves.
  Mean at(const Series& values, std::size_t index) const;
  /// Brings complete() up to date. `values` must be the same since clear(); it may have grown.
  void follow(const Series& values);
  /// For each sample with a complete window; the newest samples have none yet. May differ from at() by rounding.
  const Series& complete() const { return complete_; }
  /// Means of the newest samples, whose windows are incomplete, preceded by the last complete one.
  Series tail(const Series& values) const;
  void clear();

 private:
  /// A sum of the finite ones among some samples.
  struct Sum {
    double sum = 0;
    std::uint32_t finite = 0;

    void add(double sample);
    void add(const Sum& other);
    double mean() const;
  };

  // Samples are taken in blocks as long as a window. A window is the end of one block and the beginning of the next, so
  // two sums give its mean. No sum is ever reduced: that would keep the rounding of one huge value for ever.
  std::size_t half_;
  Series complete_;
  std::size_t taken_ = 0;      ///< samples
  std::vector<Sum> ends_;      ///< of the block before: from each of its samples to its last
  std::vector<double> block_;  ///< samples of the present block
  Sum begun_;                  ///< of them
};

}  // namespace binade::views
