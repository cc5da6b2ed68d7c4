// SPDX-License-Identifier: Apache-2.0
#include "engine/search/saving.h"

#include "engine/search/candidates.h"

#include <algorithm>
#include <limits>

namespace binade::search {

namespace {

double measured(double value) {
  return value > 0 ? value : 0;  // also for NaN
}

/// Time of a cast by byte that it writes. Where the evidence does not have it, the median over op calls that are no
/// matrix products, which are limited by memory as casts are.
double seconds_per_byte(const StepEvidence& evidence) {
  if (evidence.seconds_per_byte) return *evidence.seconds_per_byte;
  std::vector<double> rates;
  for (const CallEvidence& call : evidence.calls) {
    if (call.operations > 0 || !(call.seconds > 0) || !(call.output_bytes > 0)) continue;
    rates.push_back(call.seconds / call.output_bytes);
  }
  if (rates.empty()) return 0;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

double ratio(const formats::Format& from, const formats::Format& to) {
  return static_cast<double>(stored_bits(to)) / stored_bits(from);
}

}  // namespace

SavingEstimate::SavingEstimate(Goal goal, const StepEvidence& evidence, const std::vector<formats::Format>& present)
    : goal_(goal), evidence_(evidence), present_(present), seconds_per_byte_(seconds_per_byte(evidence)) {}

double SavingEstimate::of(std::size_t call, const formats::Format& format) const {
  std::size_t first = call;
  std::size_t last = call + 1;
  while (first > 0 && present_[first - 1] == present_[call]) --first;
  while (last < present_.size() && present_[last] == present_[call]) ++last;
  const double alone = of_range(call, call + 1, format);
  return std::max(alone, of_range(first, last, format) / static_cast<double>(last - first));
}

double SavingEstimate::of_range(std::size_t first, std::size_t last, const formats::Format& format) const {
  double saving = 0;
  for (std::size_t i = first; i < last; ++i) {
    const CallEvidence& call = evidence_.calls[i];
    saving += compute(call, present_[i], format) + casts(measured(call.casts), measured(call.cast_bytes));
  }
  const formats::Format before = first == 0 ? formats::kFloat32 : present_[first - 1];
  if (before != format) {
    const double bytes = first == 0 ? 0 : measured(evidence_.calls[first - 1].output_bytes);
    saving -= casts(1, bytes * ratio(before, format));
  }
  if (last == present_.size()) return saving;
  const CallEvidence& next = evidence_.calls[last];
  if (next.now.kind != policy::Decision::Kind::kFormat) return saving;  // it follows
  if (present_[last] == format) {
    saving += casts(measured(next.casts), measured(next.cast_bytes));
  } else if (present_[last] == present_[last - 1]) {
    saving -= casts(1, measured(evidence_.calls[last - 1].output_bytes));
  }
  return saving;
}

double SavingEstimate::compute(const CallEvidence& call, const formats::Format& from, const formats::Format& to) const {
  const double share = 1 - ratio(from, to);
  if (goal_ == Goal::kTime) return measured(call.seconds) * share;
  return goal_ == Goal::kMemory ? measured(call.output_bytes) * share : 0;
}

double SavingEstimate::casts(double count, double bytes) const {
  if (goal_ == Goal::kTime) return bytes * seconds_per_byte_;
  return goal_ == Goal::kMemory ? bytes : count;
}

double base_cost(Goal goal, const StepEvidence& evidence) {
  switch (goal) {
    case Goal::kTime:
      return evidence.step_seconds;
    case Goal::kMemory:
      return evidence.peak_bytes;
    case Goal::kCasts: {
      double casts = 0;
      for (const CallEvidence& call : evidence.calls) casts += measured(call.casts);
      return casts;
    }
    case Goal::kRepair:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace binade::search
