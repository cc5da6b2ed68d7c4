// SPDX-License-Identifier: Apache-2.0
#include "profiler/op_table.h"

#include <algorithm>
#include <cmath>

namespace binade::profiler {

namespace {

constexpr std::size_t kShownKernels = 8;
constexpr std::size_t kFewSamples = 200;

template <class T>
void keep_newest(std::vector<T>& all, std::size_t most) {
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
}

Confidence confidence_of(double error) {
  if (!std::isfinite(error) || error < 0 || error > 15) return Confidence::kNone;
  if (error > 5) return Confidence::kLow;
  return error > 2 ? Confidence::kFair : Confidence::kGood;
}

}  // namespace

std::string_view name(Confidence confidence) {
  switch (confidence) {
    case Confidence::kLow:
      return "low";
    case Confidence::kFair:
      return "fair";
    case Confidence::kGood:
      return "good";
    case Confidence::kNone:
      break;
  }
  return "none";
}

void OpTable::add(const std::vector<Kernel>& kernels) {
  for (const Kernel& kernel : kernels) {
    const double seconds = 1e-9 * static_cast<double>(kernel.end - kernel.start);
    Entry& entry = ops_[kernel.op];
    for (Sum* sum : {&entry.all, &entry.kernels[kernel.name]}) {
      ++sum->launches;
      sum->seconds += seconds;
    }
  }
  kernels_.insert(kernels_.end(), kernels.begin(), kernels.end());
  keep_newest(kernels_, window_);
}

void OpTable::add(const std::vector<Sample>& samples) {
  samples_.insert(samples_.end(), samples.begin(), samples.end());
  keep_newest(samples_, window_);
}

void OpTable::attribute() {
  if (kernels_.empty() || samples_.size() < kFewSamples) return;
  // Only where both were seen: kernels come later than samples by up to a flush.
  std::uint64_t last = 0;
  for (const Kernel& kernel : kernels_) last = std::max(last, kernel.end);
  std::vector<Sample> covered;
  for (const Sample& sample : samples_) {
    if (sample.end <= last) covered.push_back(sample);
  }
  if (covered.size() < kFewSamples) return;
  const std::uint64_t from = covered.front().start;
  std::erase_if(kernels_, [from](const Kernel& kernel) { return kernel.end <= from; });
  if (kernels_.empty()) return;
  const Attribution joined = profiler::attribute(kernels_, covered);
  shift_ = joined.shift_seconds;
  for (const OpShare& share : joined.ops) shares_[share.op] = share;
  std::erase_if(samples_, [last](const Sample& sample) { return sample.end <= last; });
  kernels_.clear();
}

std::vector<OpFigures> OpTable::figures(const std::vector<std::string>& names) const {
  std::vector<OpFigures> all;
  for (const auto& [op, entry] : ops_) {
    OpFigures& figures = all.emplace_back();
    figures.op = op;
    figures.seconds = entry.all.seconds;
    figures.launches = entry.all.launches;
    if (const auto share = shares_.find(op); share != shares_.end()) {
      figures.confidence = confidence_of(share->second.error);
      if (figures.confidence != Confidence::kNone) {
        figures.percent = share->second.percent;
        figures.error = share->second.error;
      }
    }
    for (const auto& [id, sum] : entry.kernels) {
      const std::string kernel = id < names.size() ? names[id] : "";
      figures.kernels.push_back({kernel, sum.launches, sum.seconds, class_by_name(kernel)});
    }
    std::sort(figures.kernels.begin(), figures.kernels.end(),
              [](const OpKernel& a, const OpKernel& b) { return a.seconds > b.seconds; });
    if (figures.kernels.size() > kShownKernels) figures.kernels.resize(kShownKernels);
  }
  return all;
}

void OpTable::clear() {
  ops_.clear();
}

}  // namespace binade::profiler
