// SPDX-License-Identifier: Apache-2.0
#include "profiler/op_table.h"

#include <algorithm>
#include <cmath>

namespace binade::profiler {

namespace {

constexpr std::size_t kShownKernels = 8;
/// Lower limit of errors, since the residual of a fit does not show systematic errors.
constexpr double kLeastError = 0.2;

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
    if (kernel.op == kOtherSteps) continue;
    const double seconds = 1e-9 * static_cast<double>(kernel.end - kernel.start);
    Entry& entry = ops_[kernel.op];
    for (Sum* sum : {&entry.all, &entry.kernels[kernel.name]}) {
      ++sum->launches;
      sum->seconds += seconds;
    }
  }
}

void OpTable::add(const Attribution& joined) {
  shift_ = joined.shift_seconds;
  for (const OpShare& share : joined.ops) {
    if (!std::isfinite(share.error)) continue;  // the samples cannot separate it from other ops
    const double error = std::max(share.error, kLeastError);
    const double weight = 1 / (error * error);
    Share& known = shares_[share.op];
    known.weight = known.weight / 2 + weight;
    known.weighted = known.weighted / 2 + weight * share.percent;
  }
}

std::vector<OpFigures> OpTable::figures(const std::vector<std::string>& names) const {
  std::vector<OpFigures> all;
  for (const auto& [op, entry] : ops_) {
    OpFigures& figures = all.emplace_back();
    figures.op = op;
    figures.seconds = entry.all.seconds;
    figures.launches = entry.all.launches;
    if (const auto share = shares_.find(op); share != shares_.end()) {
      const double error = 1 / std::sqrt(share->second.weight);
      figures.confidence = confidence_of(error);
      if (figures.confidence != Confidence::kNone) {
        figures.percent = share->second.weighted / share->second.weight;
        figures.error = error;
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

void OpTable::forget_figures() {
  shares_.clear();
}

}  // namespace binade::profiler
