// SPDX-License-Identifier: Apache-2.0
#include "profiler/join_window.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace binade::profiler {

namespace {

constexpr std::size_t kFewSamples = 200;
constexpr std::size_t kSamplesEach = 2;           ///< samples per op call needed for a meaningful figure
constexpr double kSameShift = 2e-6;               ///< seconds
constexpr std::uint64_t kOnItsWay = 200'000'000;  ///< ns from the end of a kernel or sample to its delivery

template <class T>
void keep_newest(std::vector<T>& all, std::size_t most) {
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
}

/// A time in which only kernels of other steps ran, including idle pauses between them.
struct Stretch {
  std::uint64_t start, end;
};

/// Takes kernels sorted by start. The result is sorted and disjoint.
std::vector<Stretch> stretches_of_other_steps(const std::vector<Kernel>& kernels) {
  std::vector<Stretch> all;
  bool within = false;
  for (const Kernel& kernel : kernels) {
    if (kernel.op != kOtherSteps) {
      within = false;
    } else if (within || (!all.empty() && kernel.start <= all.back().end)) {
      all.back().end = std::max(all.back().end, kernel.end);
      within = true;
    } else {
      all.push_back({kernel.start, kernel.end});
      within = true;
    }
  }
  return all;
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
  if (samples_.size() < kFewSamples) return std::nullopt;
  std::uint64_t last = 0;
  for (const Kernel& kernel : kernels_) last = std::max(last, kernel.end);
  if (last <= settle) return std::nullopt;
  const std::uint64_t until = last - settle;
  leave_out_other_steps(until);
  const auto seen = std::partition_point(samples_.begin(), samples_.end(),
                                         [until](const Sample& sample) { return sample.end <= until; });
  const auto count = static_cast<std::size_t>(seen - samples_.begin());
  if (count < kFewSamples) return std::nullopt;
  const std::uint64_t from = samples_.front().start;
  std::vector<Kernel> kernels;
  std::unordered_set<OpKey> ops;
  for (const Kernel& kernel : kernels_) {
    if (kernel.start >= until || kernel.end <= from) continue;
    kernels.push_back(kernel);
    ops.insert(kernel.op);
  }
  if (count < kSamplesEach * ops.size()) return std::nullopt;
  const std::vector<Sample> samples(samples_.begin(), seen);
  samples_.erase(samples_.begin(), seen);
  std::erase_if(kernels_, [until](const Kernel& kernel) { return kernel.end <= until; });
  if (kernels.empty()) return std::nullopt;
  return attribute_agreed(std::move(kernels), samples);
}

Attribution JoinWindow::attribute_agreed(std::vector<Kernel> kernels, const std::vector<Sample>& samples) {
  Attribution found = attribute(kernels, samples);
  const bool twice = found_shift_ && std::abs(*found_shift_ - found.shift_seconds) <= kSameShift;
  if (twice) agreed_shift_ = (*found_shift_ + found.shift_seconds) / 2;
  found_shift_ = found.shift_seconds;
  if (std::abs(found.shift_seconds - agreed_shift_) <= kSameShift) return found;
  return attribute(std::move(kernels), samples, {.find_shift = false, .shift = agreed_shift_});
}

void JoinWindow::leave_out_other_steps(std::uint64_t until) {
  const auto is_other = [](const Kernel& kernel) { return kernel.op == kOtherSteps; };
  if (std::none_of(kernels_.begin(), kernels_.end(), is_other)) return;
  std::sort(kernels_.begin(), kernels_.end(), [](const Kernel& a, const Kernel& b) { return a.start < b.start; });
  const std::vector<Stretch> others = stretches_of_other_steps(kernels_);
  // The largest offset between the clocks of samples and kernels.
  const auto margin = static_cast<std::uint64_t>(1e9 * AttributionOptions{}.shift_span);
  auto next = others.begin();
  std::erase_if(samples_, [&](const Sample& sample) {
    if (sample.end > until) return false;  // kernels may still be missing there
    while (next != others.end() && next->end + margin <= sample.start) ++next;
    return next != others.end() && next->start < sample.end + margin;
  });
  std::erase_if(kernels_, [&](const Kernel& kernel) { return is_other(kernel) && kernel.end <= until; });
}

void JoinWindow::begin_anew() {
  kernels_.clear();
  samples_.clear();
  if (newest_ > 0) since_ = newest_ + kOnItsWay;
}

}  // namespace binade::profiler
