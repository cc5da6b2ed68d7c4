// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace binade::trial {

/// A mean and its 95 % confidence interval.
struct Interval {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// Returns Student's interval of the mean of independent samples. One sample gives no interval: low and high are its
/// value. `samples` must not be empty.
Interval interval_of(std::span<const double> samples);

/// Returns the means of at most `blocks` blocks of consecutive values, whose lengths differ by 1 at most. Values close
/// to each other depend on each other; means of blocks do so far less, so they can serve as samples.
std::vector<double> block_means(std::span<const double> values, std::size_t blocks);

/// Index of the first value of block `block` of `blocks` among `count` values, as block_means() divides them.
std::size_t block_begin(std::size_t count, std::size_t blocks, std::size_t block);

double mean_of(std::span<const double> values);
/// Root of the mean square.
double rms_of(std::span<const double> values);

}  // namespace binade::trial
