// SPDX-License-Identifier: Apache-2.0
#include "profiler/bins.h"

#include <algorithm>
#include <cmath>

namespace binade::profiler {

std::string_view name(Source source) {
  switch (source) {
    case Source::kPmSampling:
      return "pm-sampling";
    case Source::kGpm:
      return "gpm";
    case Source::kRecorded:
      return "recorded";
    case Source::kNone:
      break;
  }
  return "none";
}

void BinFolder::add(const Sample& sample, std::vector<Bin>& finished) {
  std::uint64_t from = sample.start;
  while (from < sample.end) {
    const std::uint64_t start = from - from % width_;
    if (open_ && start != start_) close(finished);
    if (!open_) {
      open_ = true;
      start_ = start;
    }
    const std::uint64_t to = std::min(sample.end, start + width_);
    const auto weight = static_cast<double>(to - from);
    weight_ += weight;
    for (std::size_t i = 0; i < kChannels; ++i) {
      if (std::isnan(sample.values.all[i])) continue;
      sums_[i] += weight * static_cast<double>(sample.values.all[i]);
      weights_[i] += weight;
    }
    from = to;
  }
}

void BinFolder::finish(std::vector<Bin>& finished) {
  if (open_) close(finished);
}

void BinFolder::close(std::vector<Bin>& finished) {
  Bin bin;
  bin.start = start_;
  bin.width = width_;
  bin.covered = std::min(1.0, weight_ / static_cast<double>(width_));
  for (std::size_t i = 0; i < kChannels; ++i) {
    if (weights_[i] > 0) bin.values.all[i] = static_cast<float>(sums_[i] / weights_[i]);
  }
  finished.push_back(bin);
  open_ = false;
  weight_ = 0;
  sums_.fill(0);
  weights_.fill(0);
}

}  // namespace binade::profiler
