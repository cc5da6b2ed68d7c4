// SPDX-License-Identifier: Apache-2.0
#include "profiler/join_window.h"

#include <algorithm>

namespace binade::profiler {

namespace {

constexpr std::size_t kFewSamples = 200;
constexpr std::uint64_t kOnItsWay = 200'000'000;  ///< ns from a kernel's end to its record, or a sample's

template <class T>
void keep_newest(std::vector<T>& all, std::size_t most) {
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
}

}  // namespace

void JoinWindow::add(const std::vector<Kernel>& kernels) {
  for (const Kernel& kernel : kernels) {
    newest_ = std::max(newest_, kernel.end);
    if (kernel.start >= since_) kernels_.push_back(kernel);
  }
  keep_newest(kernels_, most_);
}

void JoinWindow::add(const std::vector<Sample>& samples) {
  for (const Sample& sample : samples) {
    newest_ = std::max(newest_, sample.end);
    if (sample.start >= since_) samples_.push_back(sample);
  }
  keep_newest(samples_, most_);
}

std::optional<Attribution> JoinWindow::join(std::uint64_t settle) {
  std::uint64_t last = 0;
  for (const Kernel& kernel : kernels_) last = std::max(last, kernel.end);
  if (last <= settle) return std::nullopt;
  const std::uint64_t until = last - settle;
  const auto seen = std::partition_point(samples_.begin(), samples_.end(),
                                         [until](const Sample& sample) { return sample.end <= until; });
  if (seen - samples_.begin() < static_cast<std::ptrdiff_t>(kFewSamples)) return std::nullopt;
  const std::vector<Sample> samples(samples_.begin(), seen);
  samples_.erase(samples_.begin(), seen);
  const std::uint64_t from = samples.front().start;
  std::vector<Kernel> kernels;
  for (const Kernel& kernel : kernels_) {
    if (kernel.start < until && kernel.end > from) kernels.push_back(kernel);
  }
  std::erase_if(kernels_, [until](const Kernel& kernel) { return kernel.end <= until; });
  if (kernels.empty()) return std::nullopt;
  return attribute(std::move(kernels), samples);
}

void JoinWindow::begin_anew() {
  kernels_.clear();
  samples_.clear();
  if (newest_ > 0) since_ = newest_ + kOnItsWay;
}

}  // namespace binade::profiler
