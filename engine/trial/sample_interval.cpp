// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/sample_interval.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace binade::trial {

namespace {

/// Quantile 0.975 of Student's t, by degrees of freedom from 1.
constexpr double kStudent[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                               2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                               2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

double student(std::size_t freedom) {
  if (freedom <= std::size(kStudent)) return kStudent[freedom - 1];
  return 1.96 + 2.4 / static_cast<double>(freedom);  // first term of its expansion; within 0.003 from here on
}

}  // namespace

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double rms_of(std::span<const double> values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

Interval interval_of(std::span<const double> samples) {
  const double mean = mean_of(samples);
  if (samples.size() < 2) return {mean, mean, mean};
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  const auto count = static_cast<double>(samples.size());
  const double error = std::sqrt(squares / (count - 1) / count);
  const double half = student(samples.size() - 1) * error;
  return {mean, mean - half, mean + half};
}

std::size_t block_begin(std::size_t count, std::size_t blocks, std::size_t block) {
  return count * block / blocks;
}

std::vector<double> block_means(std::span<const double> values, std::size_t blocks) {
  blocks = std::min(blocks, values.size());
  std::vector<double> means;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t begin = block_begin(values.size(), blocks, i);
    means.push_back(mean_of(values.subspan(begin, block_begin(values.size(), blocks, i + 1) - begin)));
  }
  return means;
}

}  // namespace binade::trial
