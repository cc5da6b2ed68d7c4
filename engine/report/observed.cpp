// SPDX-License-Identifier: Apache-2.0
#include "engine/report/observed.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace binade::report {

namespace {

constexpr std::size_t kHeatColumns = 160;
constexpr double kNothing = std::numeric_limits<double>::infinity();

/// Evenly chosen ones of `steps`, with the first and the last.
std::vector<std::int64_t> chosen_steps(const std::vector<std::int64_t>& steps) {
  if (steps.size() <= Observed::kMostSteps) return steps;
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < Observed::kMostSteps; ++i)
    chosen.push_back(steps[i * (steps.size() - 1) / (Observed::kMostSteps - 1)]);
  return chosen;
}

/// Whether all non-finite values are -inf, as in masks of attention, and no finite value overflowed.
bool has_only_negative_infinities(const formats::TensorStats& stats) {
  return stats.negative_infinity > 0 && stats.positive_infinity == 0 && stats.nan == 0 && stats.overflow == 0;
}

bool is_forward(const wire::WatchedTensor& tensor) {
  return tensor.kind == wire::WatchedTensor::Kind::kOutput || tensor.kind == wire::WatchedTensor::Kind::kInput;
}

/// Whether an op writes constants that the model chose in place of values.
bool places_constants(std::string_view op) {
  constexpr std::string_view kNames[] = {"aten::masked_fill", "aten::masked_fill_", "aten::where", "aten::full",
                                         "aten::full_like",   "aten::fill",         "aten::fill_", "aten::index_fill",
                                         "aten::index_fill_", "aten::triu",         "aten::tril"};
  return std::find(std::begin(kNames), std::end(kNames), op) != std::end(kNames);
}

/// The headroom without negative infinities; infinity for zeros.
double headroom_of_finite(formats::TensorStats stats, const formats::Format& format) {
  stats.negative_infinity = 0;
  return formats::headroom(stats, format);
}

/// What a reader of the report tells tensors apart by. A tensor that some steps observe before an emulated rounding,
/// and others after it, has two numbers in the run file.
using TensorName = std::tuple<wire::WatchedTensor::Kind, int, std::string, std::string>;

TensorName name_of(const wire::WatchedTensor& tensor) {
  return {tensor.kind, tensor.site, tensor.argument, formats::name(tensor.format)};
}

/// Two summaries of one tensor. Counts after rounding say less than those before it. An infinity after rounding is the
/// overflow that was measured before it.
TensorSummary combined(const TensorSummary& a, const TensorSummary& b) {
  const TensorSummary& measured = a.censored ? b : a;
  const TensorSummary& other = a.censored ? a : b;
  TensorSummary both = measured;
  const bool explained = std::isinf(other.headroom) && measured.headroom < 0;
  if (other.headroom < measured.headroom && !explained) {
    both.headroom = other.headroom;
    both.headroom_step = other.headroom_step;
  }
  both.largest = std::max(a.largest, b.largest);
  if (measured.censored != other.censored) return both;
  both.overflow += other.overflow;
  both.underflow += other.underflow;
  both.non_finite += other.non_finite;
  both.values += other.values;
  return both;
}

class ObservedReader {
 public:
  /// `steps`: number of steps to come. Rows have no more columns than that, so that no column stays empty.
  ObservedReader(const RunContent& content, std::size_t steps, Observed& observed)
      : content_(content), columns_(std::clamp<std::size_t>(steps, 1, kHeatColumns)), to_(observed) {}

  void add(const wire::StepRecord& step) {
    if (step.observations.empty()) return;
    ++to_.read;
    double forward = kNothing;
    double backward = kNothing;
    const int mask = first_mask(step);
    for (const wire::Observation& seen : step.observations) {
      const auto tensor = content_.tensors.find(seen.tensor);
      if (tensor == content_.tensors.end()) continue;  // the row that declares it is damaged
      const double left = summarise(step.step, tensor->second, seen.stats, mask);
      if (wire::is_scaled(tensor->second)) {
        backward = std::min(backward, left);
      } else if (is_forward(tensor->second)) {
        forward = std::min(forward, left);
      } else if (tensor->second.kind == wire::WatchedTensor::Kind::kParameterGradient) {
        add_gradient(step.step, tensor->second, seen.stats);
      }
    }
    // Plus infinity: nothing but zeros. Minus infinity is drawn as not finite.
    if (forward != kNothing) to_.forward.add(step.step, forward);
    if (backward != kNothing) to_.backward.add(step.step, backward);
  }

  void finish() {
    std::map<TensorName, TensorSummary> by_name;
    for (const auto& [id, summary] : summaries_) {
      if (summary.headroom == kNothing) continue;
      const auto [known, is_new] = by_name.emplace(name_of(content_.tensors.at(id)), summary);
      if (!is_new) known->second = combined(known->second, summary);
    }
    for (const auto& [name, summary] : by_name) to_.tensors.push_back(summary);
    std::stable_sort(to_.tensors.begin(), to_.tensors.end(),
                     [](const TensorSummary& a, const TensorSummary& b) { return a.headroom < b.headroom; });
    to_.all_gradients = rows_.size();
    for (auto& [id, row] : rows_) {
      if (to_.gradients.size() < Observed::kMostRows) to_.gradients.push_back(std::move(row));
    }
  }

 private:
  static constexpr int kNoMask = std::numeric_limits<int>::max();

  std::string_view op_of(int site) const {
    const auto& sites = content_.sites();
    const auto index = static_cast<std::size_t>(site);
    return site >= 0 && index < sites.size() ? std::string_view(sites[index].key.op) : std::string_view();
  }

  /// The first op call that makes a mask of -inf, or gets one: it places constants, or its tensor has only zeros beside
  /// them. kNoMask without one. An overflow before it has been counted where it happened.
  int first_mask(const wire::StepRecord& step) const {
    int first = kNoMask;
    for (const wire::Observation& seen : step.observations) {
      const auto tensor = content_.tensors.find(seen.tensor);
      if (tensor == content_.tensors.end() || !is_forward(tensor->second)) continue;
      if (!has_only_negative_infinities(seen.stats)) continue;
      const int site = tensor->second.site;
      const bool zeros = seen.stats.largest == 0 && seen.stats.negative_infinity < seen.stats.count;
      if (zeros || places_constants(op_of(site))) first = std::min(first, site);
    }
    return first;
  }

  /// A mask, and a tensor behind it that has no other infinity and whose finite values are far from the limit, have the
  /// headroom of their finite values: the model chose the -inf.
  double headroom_of(const wire::WatchedTensor& tensor, const formats::TensorStats& stats, int mask) const {
    const double left = formats::headroom(stats, tensor.format);
    if (tensor.site < mask || !is_forward(tensor) || !has_only_negative_infinities(stats)) return left;
    const double finite = headroom_of_finite(stats, tensor.format);
    const bool chosen = finite >= 1 || places_constants(op_of(tensor.site));
    return chosen ? finite : left;
  }

  double summarise(std::int64_t step, const wire::WatchedTensor& tensor, const formats::TensorStats& stats, int mask) {
    auto [at, is_new] = summaries_.try_emplace(tensor.id);
    TensorSummary& summary = at->second;
    const double left = headroom_of(tensor, stats, mask);
    if (is_new || left < summary.headroom) {
      summary.headroom = left;
      summary.headroom_step = step;
    }
    summary.tensor = tensor.id;
    summary.largest = std::max(summary.largest, stats.largest);
    summary.overflow += stats.overflow;
    summary.underflow += stats.underflow;
    summary.non_finite += stats.non_finite();
    summary.values += stats.count;
    summary.censored = summary.censored || stats.censored || stats.scan;
    return left;
  }

  void add_gradient(std::int64_t step, const wire::WatchedTensor& tensor, const formats::TensorStats& stats) {
    auto row = rows_.find(tensor.id);
    if (row == rows_.end()) {
      const std::string& name = tensor.argument;
      HeatRow fresh{name, Envelope::spanning(content_.first_step, content_.last_step, columns_)};
      row = rows_.emplace(tensor.id, std::move(fresh)).first;
    }
    if (stats.non_finite() > 0) row->second.exponents.add(step, std::nan(""));
    const std::uint64_t finite = stats.count - stats.non_finite();
    if (stats.scan || finite == 0 || !(stats.sum_of_squares > 0)) return;
    row->second.exponents.add(step, std::log2(stats.sum_of_squares / static_cast<double>(finite)) / 2);
  }

  const RunContent& content_;
  std::size_t columns_;
  Observed& to_;
  std::map<int, TensorSummary> summaries_;
  std::map<int, HeatRow> rows_;
};

}  // namespace

Observed read_observed(const record::RunReader& reader, const RunContent& content,
                       const std::function<bool(std::int64_t steps)>& go_on) {
  Observed observed;
  std::vector<std::int64_t> steps = reader.observed_steps();
  std::erase_if(steps, [&](std::int64_t step) { return step < content.first_step || step > content.last_step; });
  observed.steps = static_cast<std::int64_t>(steps.size());
  const std::vector<std::int64_t> chosen = chosen_steps(steps);
  ObservedReader records(content, chosen.size(), observed);
  for (const std::int64_t step : chosen) {
    if (go_on && !go_on(content.steps)) break;
    try {
      if (const auto record = reader.step(step)) records.add(*record);
    } catch (const Error&) {
      // A damaged row: the first reading has reported it.
    }
  }
  records.finish();
  return observed;
}

}  // namespace binade::report
