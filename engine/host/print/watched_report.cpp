// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/watched_report.h"

#include "engine/formats/effect.h"
#include "engine/host/print/json_number.h"
#include "engine/host/print/text_table.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;
using Watched = wire::WatchedTensor::Kind;

constexpr std::size_t kMostRows = 20;

bool is_reported(const wire::WatchedTensor& tensor) {
  return tensor.kind == Watched::kInput || tensor.kind == Watched::kParameter ||
         tensor.kind == Watched::kParameterGradient;
}

std::string name_of(const wire::WatchedTensor& tensor, const std::vector<std::string>& sites) {
  switch (tensor.kind) {
    case Watched::kParameter:
      return tensor.argument;
    case Watched::kParameterGradient:
      return "unscaled gradient of " + tensor.argument;
    default:
      return tensor.argument + " of " + sites.at(static_cast<std::size_t>(tensor.site));
  }
}

/// Returns whether a tensor has values, and none of them is finite: nothing says how many doublings are left.
bool none_finite(const formats::TensorStats& stats) {
  return stats.count > 0 && stats.non_finite() == stats.count;
}

std::string doublings_text(const formats::TensorStats& stats, double doublings) {
  if (none_finite(stats)) return "-";
  return std::isinf(doublings) ? (doublings > 0 ? "any" : "none") : words::figure(std::floor(doublings));
}

/// Returns whether the bounds are too wide to be useful.
bool says_nothing(const formats::NormRange& norm) {
  constexpr double kMostOpen = 0.9;
  return norm.high - norm.low > kMostOpen;
}

/// `0.31 %`, or the upper bound; `-` if the bounds are too wide.
std::string share_text(const formats::NormRange& norm) {
  if (norm.high == 0) return "0";
  if (says_nothing(norm)) return "-";
  return (norm.low == norm.high ? "" : "<= ") + words::percent(norm.high);
}

/// A scan counts neither zeros nor underflows.
Json unless_scan(const formats::TensorStats& stats, Json value) {
  return stats.scan ? Json() : value;
}

}  // namespace

void WatchedReport::add(const wire::StepRecord& step) {
  for (const wire::WatchedTensor& tensor : step.new_tensors) {
    if (is_reported(tensor)) tensors_.insert_or_assign(tensor.id, tensor);
  }
  for (const wire::Observation& seen : step.observations) {
    if (tensors_.contains(seen.tensor)) newest_.insert_or_assign(seen.tensor, Seen{step.step, seen.stats});
  }
}

Json WatchedReport::line(const wire::StepRecord& step, const std::vector<std::string>& sites) const {
  Json tensors = Json::array();
  for (const wire::Observation& seen : step.observations) {
    const auto known = tensors_.find(seen.tensor);
    if (known == tensors_.end()) continue;
    const wire::WatchedTensor& tensor = known->second;
    const formats::TensorStats& stats = seen.stats;
    const formats::FormatEffect effect = formats::effect_of(stats, tensor.format);
    tensors.push_back(
        {{"kind", wire::name(tensor.kind)},
         {"site", tensor.site < 0 ? Json() : Json(sites.at(static_cast<std::size_t>(tensor.site)))},
         {"name", tensor.argument},
         {"format", formats::name(tensor.format)},
         {"emulated", tensor.emulated},
         {"count", stats.count},
         {"zeros", unless_scan(stats, stats.zero)},
         {"infinite", stats.positive_infinity + stats.negative_infinity},
         {"nan", stats.nan},
         {"smallest", unless_scan(stats, stats.smallest)},
         {"largest", json_number(static_cast<double>(stats.largest))},
         {"overflow", stats.overflow},
         {"becomes_zero", unless_scan(stats, stats.underflow)},
         {"lost_norm", says_nothing(effect.zero.norm) ? Json() : unless_scan(stats, effect.zero.norm.high)},
         {"doublings_left", none_finite(stats) ? Json() : json_number(formats::headroom(stats, tensor.format))}});
  }
  if (tensors.empty()) return {};
  return {{"event", "watched"}, {"step", step.step}, {"tensors", tensors}};
}

std::string WatchedReport::text(const std::vector<std::string>& sites) const {
  std::vector<std::pair<double, int>> order;  // doublings left, and tensor id
  for (const auto& [id, seen] : newest_) {
    const formats::Format& format = tensors_.at(id).format;
    if (format != formats::kFloat32) order.emplace_back(formats::headroom(seen.stats, format), id);
  }
  if (order.empty()) return {};
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  TextTable table(2);
  table.add({"format", "doublings left", "beyond", "norm that becomes 0", "step", "values"});
  for (std::size_t i = 0; i < order.size() && i < kMostRows; ++i) {
    const Seen& seen = newest_.at(order[i].second);
    const wire::WatchedTensor& tensor = tensors_.at(order[i].second);
    const formats::FormatEffect effect = formats::effect_of(seen.stats, tensor.format);
    table.add({formats::name(tensor.format), doublings_text(seen.stats, order[i].first),
               words::grouped(seen.stats.overflow), seen.stats.scan ? "-" : share_text(effect.zero.norm),
               std::to_string(seen.step), name_of(tensor, sites)});
  }
  std::string text =
      "Arguments before their cast, and parameters below float32, at their last observation, fewest doublings left "
      "first:\n" +
      table.text();
  if (order.size() > kMostRows) text += "  and " + std::to_string(order.size() - kMostRows) + " more\n";
  return text;
}

}  // namespace binade::host
