// SPDX-License-Identifier: Apache-2.0
#include "views/values/running_mean.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::views {

void RunningMean::Sum::add(double sample) {
  if (!std::isfinite(sample)) return;
  sum += sample;
  ++finite;
}

void RunningMean::Sum::add(const Sum& other) {
  sum += other.sum;
  finite += other.finite;
}

double RunningMean::Sum::mean() const {
  return finite > 0 ? sum / finite : std::numeric_limits<double>::quiet_NaN();
}

RunningMean::Mean RunningMean::at(const Series& values, std::size_t index) const {
  const std::size_t after = values.size() - 1 - index;
  const std::size_t right = std::min({half_, index, after});
  const std::size_t left = std::min({half_, index, std::max(after, half_ / 2)});
  Sum window;
  for (std::size_t i = index - left; i <= index + right; ++i) window.add(values.valueAt(i));
  return {window.mean(), static_cast<int>(left + right + 1)};
}

void RunningMean::follow(const Series& values) {
  if (half_ == 0) return;
  const std::size_t width = 2 * half_ + 1;
  for (; taken_ < values.size(); ++taken_) {
    const double sample = values.valueAt(taken_);
    block_.push_back(sample);
    begun_.add(sample);
    if (taken_ >= half_) {
      const std::size_t middle = taken_ - half_;
      double mean = 0;
      if (middle < half_) {
        mean = at(values, middle).value;
      } else {
        Sum window = begun_;
        if (block_.size() < width) window.add(ends_[block_.size()]);
        mean = window.mean();
      }
      complete_.append(values.stepAt(middle), mean);
    }
    if (block_.size() < width) continue;
    ends_.resize(width);
    Sum end;
    for (std::size_t i = width; i-- > 0;) {
      end.add(block_[i]);
      ends_[i] = end;
    }
    block_.clear();
    begun_ = {};
  }
}

Series RunningMean::tail(const Series& values) const {
  Series tail;
  const std::size_t begin = complete_.empty() ? 0 : complete_.size() - 1;
  for (std::size_t i = begin; i < values.size(); ++i) tail.append(values.stepAt(i), at(values, i).value);
  return tail;
}

void RunningMean::clear() {
  complete_.clear();
  taken_ = 0;
  ends_.clear();
  block_.clear();
  begun_ = {};
}

}  // namespace binade::views
