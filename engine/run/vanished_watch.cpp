// SPDX-License-Identifier: Apache-2.0
#include "engine/run/vanished_watch.h"

#include "engine/diagnose/explain_vanished.h"
#include "engine/graph/failure.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace binade::run {

namespace {

/// Returns, by site, the share of an op call's values that are not finite or overflow; sites without any are left out.
std::map<int, double> infinities_of(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched) {
  std::map<int, double> shown;
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(seen.tensor)];
    using Kind = wire::WatchedTensor::Kind;
    if (tensor.kind != Kind::kOutput && tensor.kind != Kind::kInput) continue;
    const std::uint64_t bad = seen.stats.overflow + seen.stats.non_finite();
    if (bad == 0) continue;
    double& share = shown[tensor.site];
    share = std::max(share, static_cast<double>(bad) / static_cast<double>(seen.stats.count));
  }
  return shown;
}

}  // namespace

void VanishedWatch::begin() {
  now_.clear();
  unmeasured_.clear();
}

VanishedWatch::Result VanishedWatch::examine(const wire::StepRecord& record,
                                             std::span<const wire::WatchedTensor> watched) {
  const std::map<int, double> shown = infinities_of(record, watched);
  if (revision_ != record.policy_revision) {
    revision_ = record.policy_revision;
    sites_.clear();
    named_.clear();
    noticed_.clear();
  }
  if (shown.empty()) return {};
  Result result = explain(record.step, shown);
  for (const auto& [site, share] : shown) {
    const Shown& known = sites_[site];
    if (!known.failed.empty()) unmeasured_.push_back(diagnose::unmeasured_vanished(site, known.failed));
    if (!known.found) continue;
    now_.push_back(*known.found);
    now_.back().infinite = share;
  }
  return result;
}

VanishedWatch::Result VanishedWatch::explain(std::int64_t step, const std::map<int, double>& shown) {
  std::vector<int> due;
  for (const auto& [site, share] : shown) {
    Shown& known = sites_[site];
    if (++known.seen >= known.due) due.push_back(site);
  }
  if (due.empty()) return {};
  Result result{.replayed = true, .diagnosis = {}};
  std::optional<diagnose::ExplainedVanished> explained;
  try {
    explained = diagnose::explain_vanished(replay_, step);
  } catch (const std::exception& error) {
    // The replay needs more memory than the step. It is repeated sooner than after a result.
    for (const int site : due) {
      Shown& known = sites_[site];
      known.due = 2 * known.seen;
      if (!known.found) known.failed = graph::reason_of(error);
    }
    return result;
  }
  for (const int site : due) sites_[site].due *= 4;
  for (const auto& [site, share] : shown) {
    sites_[site].found.reset();
    sites_[site].failed.clear();
  }
  if (!explained) return result;
  for (const silent::Unmeasured& each : explained->unmeasured) sites_[each.site].failed = each.why;
  bool is_news = false;
  for (silent::VanishedSeen& each : explained->seen) {
    const int site = each.site;
    // A harmless overflow that becomes harmful is reported again, but not the reverse.
    const bool is_new = !named_.contains(site) && (each.harmless ? noticed_.insert(site) : named_.insert(site)).second;
    is_news = is_new || is_news;
    sites_[site].found = std::move(each);
  }
  if (is_news) result.diagnosis = std::move(explained->diagnosis);
  return result;
}

void VanishedWatch::add_to(silent::Evidence& evidence) {
  evidence.vanished = std::move(now_);
  std::move(unmeasured_.begin(), unmeasured_.end(), std::back_inserter(evidence.unmeasured));
}

}  // namespace binade::run
