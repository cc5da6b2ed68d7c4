// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/silent_fault_detector.h"

#include "engine/silent/dead.h"
#include "engine/silent/lost_sum.h"
#include "engine/silent/quantized.h"
#include "engine/silent/stored.h"
#include "engine/silent/underflow.h"
#include "engine/silent/vanished.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace binade::silent {

namespace {

void append(std::vector<Symptom>& all, std::vector<Symptom> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

/// Largest bound that is reported; a bound above it says too little.
constexpr double kMostBound = 0.9;
constexpr std::size_t kMostNamed = 10;  // per kind of unknown item

using Reason = wire::SilentGap::Reason;

}  // namespace

void SilentFaultDetector::begin(int policy_revision, std::int64_t first_step) {
  if (first_step <= last_step_) spikes_ = {};  // after a rewind the same losses come again
  revision_ = policy_revision;
  first_step_ = first_step;
  last_step_ = first_step - 1;
  tracker_.begin();
  logits_ = {};
  suspected_ = 0;
  due_ = FaultTracker::kLeastSeen;
  comparisons_ = 0;
  bounds_stand_ = false;
  no_comparison_.clear();
  unknown_.clear();
  low_ = false;
  sees_op_calls_ = false;
  updates_.clear();
  unmeasured_.clear();
  cut_.clear();
}

std::vector<wire::Event> SilentFaultDetector::step(const wire::StepRecord& record,
                                                   std::span<const wire::WatchedTensor> watched,
                                                   const Evidence& evidence) {
  last_step_ = record.step;
  scale_ = record.scale;
  std::vector<Symptom> symptoms;
  if (auto spike = spikes_.step(record)) symptoms.push_back(std::move(*spike));
  if (auto low = low_scale_.step(record)) symptoms.push_back(std::move(*low));
  // A skipped step only shows the effects of its overflow.
  const bool observed = evidence.observed && record.stepped;
  if (observed) {
    for (const wire::WatchedTensor& tensor : watched) {
      low_ = low_ || tensor.format.mantissa_bits < formats::kFloat32.mantissa_bits;
      sees_op_calls_ = sees_op_calls_ || tensor.kind == wire::WatchedTensor::Kind::kOutput || wire::is_scaled(tensor);
    }
    take_updates(evidence, record.step);
    bool suspicion = false;
    for (Symptom& symptom : underflow_symptoms(record, watched, sites_)) {
      suspicion = suspicion || symptom.bound;
      const bool says_nothing = symptom.bound && symptom.amount > kMostBound;
      if (says_nothing && bounds_stand_) unknown_.insert(symptom.tensor);
      if (!symptom.bound || (bounds_stand_ && !says_nothing)) symptoms.push_back(std::move(symptom));
    }
    if (suspicion) ++suspected_;
    append(symptoms, cast_underflow_symptoms(evidence, sites_));
    append(symptoms, dead_symptoms(record, watched, sites_, evidence.zero_by_design, evidence.buffers));
    append(symptoms, logits_.symptoms(evidence, record.step));
    append(symptoms, integer_symptoms(evidence, sites_));
    append(symptoms, lost_sum_symptoms(evidence, sites_));
    append(symptoms, update_symptoms(evidence));
    append(symptoms, state_symptoms(evidence));
    append(symptoms, quantized_symptoms(evidence, sites_));
  }
  append(symptoms, vanished_symptoms(evidence));
  note_unmeasured(evidence);
  tracker_.step(record.step, observed, symptoms, evidence.scanned, evidence.unmeasured);
  return events();
}

void SilentFaultDetector::note_unmeasured(const Evidence& evidence) {
  for (const Unmeasured& each : evidence.unmeasured) {
    auto known = std::find_if(unmeasured_.begin(), unmeasured_.end(), [&](const Failed& other) {
      return other.what.kind == each.kind && other.what.site == each.site && other.what.what == each.what;
    });
    if (known == unmeasured_.end()) known = unmeasured_.insert(known, {each, 0});
    ++known->steps;
  }
  // The newest measurement of an op call's overflow counts, whatever failed before it.
  for (const VanishedSeen& seen : evidence.vanished) {
    if (!seen.wrong) continue;
    std::erase_if(unmeasured_, [&](const Failed& other) {
      return other.what.kind == wire::SilentFault::Kind::kVanishedOverflow && other.what.site == seen.site;
    });
  }
  for (const SumSeen& seen : evidence.sums) {
    if (seen.cut) cut_.insert_or_assign(seen.site, seen.sites.size());
    if (!seen.cut) cut_.erase(seen.site);
  }
}

void SilentFaultDetector::take_updates(const Evidence& evidence, std::int64_t step) {
  if (evidence.updates.empty()) return;
  updates_.clear();
  for (const UpdateSeen& seen : evidence.updates) {
    updates_.push_back({.parameter = seen.parameter,
                        .format = seen.format,
                        .step = step,
                        .elements = seen.elements,
                        .moved = seen.moved,
                        .lost = seen.lost,
                        .lost_norm = seen.lost_norm,
                        .update_over_weight = seen.update_over_weight});
  }
}

bool SilentFaultDetector::may_compare() const {
  return !bounds_stand_ && comparisons_ < kMostComparisons;
}

bool SilentFaultDetector::wants_comparison() const {
  return may_compare() && (suspected_ >= due_ || (low_ && !tracker_.unexplained().empty()));
}

std::vector<wire::Event> SilentFaultDetector::compared(const wire::Float32Comparison* compared,
                                                       std::span<const wire::WatchedTensor> watched,
                                                       const std::optional<wire::ScaleBand>& band,
                                                       const std::string& why) {
  ++comparisons_;
  due_ = std::max(due_, 4 * suspected_);  // after a comparison without findings the suspicion has to persist
  if (compared == nullptr) {
    bounds_stand_ = true;
    no_comparison_ = why;
    return events();
  }
  for (const Symptom& dead : tracker_.unexplained()) tracker_.explain(explained(dead, *compared, sites_, band));
  auto symptoms = compared_symptoms(*compared, watched, sites_, band);
  // A loss counted before rounding is known already.
  std::erase_if(symptoms,
                [this](const Symptom& symptom) { return tracker_.has(symptom.kind, symptom.direction, symptom.site); });
  tracker_.confirm(compared->step, symptoms);
  return events();
}

wire::SilentReport SilentFaultDetector::report() const {
  wire::SilentReport report;
  report.policy_revision = revision_;
  report.first_step = first_step_;
  report.last_step = last_step_;
  report.faults = tracker_.faults();
  // At level `finite` outputs are scanned and nothing else is examined.
  report.observed_steps = tracker_.observed() == 0 && !report.faults.empty() ? tracker_.scanned() : tracker_.observed();
  // The absence of faults is known only for steps in which every kind of fault was measured.
  if (report.faults.empty()) report.observed_steps = tracker_.fully_observed();
  report.hidden = logits_.hidden();
  const auto add = [&](Reason reason, std::size_t count) {
    report.hidden.push_back({.reason = reason, .count = count, .why = no_comparison_});
  };
  if (!unknown_.empty()) add(Reason::kRoundedTensors, unknown_.size());
  const auto is_bound = [](const wire::SilentFault& fault) { return fault.bound; };
  if (bounds_stand_ && std::any_of(report.faults.begin(), report.faults.end(), is_bound)) add(Reason::kBounds, 0);
  if (const std::size_t dead = tracker_.unexplained().size(); bounds_stand_ && low_ && dead > 0) {
    add(Reason::kDeadSites, dead);
  }
  if (report.observed_steps > 0 && !sees_op_calls_) report.hidden.push_back({.reason = Reason::kNoOpCalls});
  add_suspected(report.hidden);
  add_unmeasured(report.hidden);
  report.updates = updates_;
  return report;
}

void SilentFaultDetector::add_suspected(std::vector<wire::SilentGap>& gaps) const {
  const std::vector<wire::SilentFault> suspected = tracker_.suspected();
  for (std::size_t i = 0; i < std::min(suspected.size(), kMostNamed); ++i) {
    const bool dead = suspected[i].kind == wire::SilentFault::Kind::kDeadSite;
    gaps.push_back({.reason = Reason::kSuspected,
                    .count = static_cast<std::uint64_t>(dead ? FaultTracker::kDeadInARow : FaultTracker::kLeastSeen),
                    .fault = suspected[i]});
  }
  if (suspected.size() > kMostNamed) {
    gaps.push_back({.reason = Reason::kMoreSuspected, .count = suspected.size() - kMostNamed});
  }
}

void SilentFaultDetector::add_unmeasured(std::vector<wire::SilentGap>& gaps) const {
  std::size_t named = 0;
  std::size_t more = 0;
  for (const Failed& each : unmeasured_) {
    const bool vanished = each.what.kind == wire::SilentFault::Kind::kVanishedOverflow;
    const std::int64_t measured = (vanished ? tracker_.scanned() : tracker_.observed()) - each.steps;
    // Measured often enough all the same. What an overflow changes is measured anew where it is, and erased above.
    if (!vanished && measured >= wire::SilentReport::kFewestObservedSteps) continue;
    if (named == kMostNamed) {
      ++more;
      continue;
    }
    ++named;
    gaps.push_back(
        {.reason = Reason::kUnmeasured, .site = each.what.site, .what = each.what.what, .why = each.what.why});
  }
  if (more > 0) gaps.push_back({.reason = Reason::kMoreUnmeasured, .count = more});
  for (const auto& [site, sites] : cut_) {
    gaps.push_back({.reason = Reason::kCutSum, .site = site, .count = sites});
  }
}

std::vector<wire::Event> SilentFaultDetector::events() {
  std::map<wire::SilentFault::Kind, std::size_t> of_kind;
  const auto news = tracker_.news(/*hold=*/low_ && may_compare());
  for (const wire::SilentFault& fault : news) {
    // The first step that showed it already had an event with its diagnosis.
    if (fault.kind != wire::SilentFault::Kind::kVanishedOverflow) ++of_kind[fault.kind];
  }
  std::vector<wire::Event> events;
  for (const wire::SilentFault& fault : news) {
    std::size_t& number = of_kind[fault.kind];
    if (number == 0) continue;  // reported with the worst of its kind
    wire::Event event;
    event.step = last_step_;
    event.kind = wire::Event::Kind::kSilent;
    event.scale = scale_;
    event.facts = wire::SilentFaultFound{fault, number - 1};
    events.push_back(std::move(event));
    number = 0;
  }
  return events;
}

}  // namespace binade::silent
