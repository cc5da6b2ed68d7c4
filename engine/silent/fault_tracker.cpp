// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/fault_tracker.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace binade::silent {

static_assert(wire::SilentReport::kFewestObservedSteps >= FaultTracker::kLeastSeen);
static_assert(wire::SilentReport::kFewestObservedSteps >= FaultTracker::kDeadInARow);

namespace {

using Kind = Symptom::Kind;

bool at_once(Kind kind) {
  return kind == Kind::kLossSpike || kind == Kind::kInexactIntegers;
}

/// Whether the zeros of a dead site are the consequence of a loss before it, in its direction.
bool follows(const Symptom& dead, const Symptom& lost) {
  if (lost.site < 0 || dead.site < 0) return false;
  if (dead.direction == wire::Direction::kForward) {
    return lost.direction == wire::Direction::kForward && lost.site <= dead.site;
  }
  return lost.site >= dead.site;
}

/// Returns whether a loss scale fixes it; later dead calls are then a consequence.
bool asks_for_a_scale(const Symptom& symptom) {
  return symptom.kind == Kind::kUnderflow && symptom.direction == wire::Direction::kBackward &&
         (symptom.fix.scale > 0 || symptom.facts.lowest_scale.has_value());
}

/// Compares two symptoms of the same kind and place.
bool is_worse(const Symptom& symptom, const Symptom& than) {
  return symptom.harmless != than.harmless ? than.harmless : symptom.amount > than.amount;
}

/// Order of two symptoms in one step: forward before backward, and backward from the end.
bool comes_first(const Symptom& a, const Symptom& b) {
  if (a.direction != b.direction) return a.direction == wire::Direction::kForward;
  if (a.site != b.site) return a.direction == wire::Direction::kForward ? a.site < b.site : a.site > b.site;
  return std::tie(a.kind, a.what) < std::tie(b.kind, b.what);
}

}  // namespace

void FaultTracker::begin() {
  *this = FaultTracker();
}

std::int64_t FaultTracker::observed_for(Kind kind, int site) const {
  if (kind == Kind::kLossSpike || kind == Kind::kLowScale) return steps_;
  std::int64_t steps = kind == Kind::kVanishedOverflow ? scanned_ : observed_;
  for (const int key : std::set<int>{site, -1}) {
    const auto found = unmeasured_.find({kind, key});
    if (found != unmeasured_.end()) steps -= found->second;
  }
  return steps;
}

std::int64_t FaultTracker::fully_observed() const {
  std::int64_t least = observed_;
  for (const auto& [key, times] : unmeasured_) {
    if (key.second == -1) least = std::min(least, observed_for(key.first, -1));
  }
  return least;
}

bool FaultTracker::is_unmeasured(const Entry& entry, std::span<const Unmeasured> unmeasured) {
  return std::any_of(unmeasured.begin(), unmeasured.end(), [&](const Unmeasured& each) {
    return each.kind == entry.worst.kind && (each.site == -1 || each.site == entry.worst.site);
  });
}

void FaultTracker::step(std::int64_t step, bool observed, const std::vector<Symptom>& symptoms, bool scanned,
                        std::span<const Unmeasured> unmeasured) {
  std::set<Key> shown;
  for (const Symptom& symptom : symptoms) {
    const Key key{symptom.kind, symptom.direction, symptom.site, symptom.what};
    if (!shown.insert(key).second) continue;
    const auto [found, is_new] = entries_.try_emplace(key);
    Entry& entry = found->second;
    if (is_new) {
      entry.first_step = step;
      entry.observed_before = observed_for(symptom.kind, symptom.site);
    }
    if (is_new || (!entry.confirmed && is_worse(symptom, entry.worst))) {
      entry.worst = symptom;
      entry.worst_step = step;
    }
    entry.last_step = step;
    ++entry.seen;
    entry.missed = 0;
    entry.sum += symptom.amount;
    if (++entry.in_a_row >= kDeadInARow) entry.dead = true;
  }
  for (auto& [key, entry] : entries_) {
    if (shown.contains(key) || !(entry.worst.kind == Kind::kVanishedOverflow ? scanned : observed)) continue;
    if (is_unmeasured(entry, unmeasured)) continue;
    entry.in_a_row = 0;
    if (++entry.missed >= kDeadInARow) entry.dead = false;  // no longer dead
  }
  // A step unmeasured for one site and for all counts once.
  std::set<std::pair<Kind, int>> kinds;
  for (const Unmeasured& each : unmeasured) {
    if (each.kind == Kind::kVanishedOverflow ? scanned : observed) kinds.insert({each.kind, each.site});
  }
  for (const auto& [kind, site] : kinds) {
    if (site == -1 || !kinds.contains({kind, -1})) ++unmeasured_[{kind, site}];
  }
  if (observed) ++observed_;
  if (scanned) ++scanned_;
  ++steps_;
}

void FaultTracker::confirm(std::int64_t step, const std::vector<Symptom>& symptoms) {
  for (const Symptom& symptom : symptoms) {
    Entry& entry = entries_[Key{symptom.kind, symptom.direction, symptom.site, symptom.what}];
    if (entry.seen == 0) {
      entry.first_step = step;
      entry.seen = 1;
      entry.observed_before = observed_ - 1;
    }
    entry.last_step = step;
    entry.worst = symptom;
    entry.confirmed = true;
  }
}

bool FaultTracker::is_unexplained(const Entry& entry) {
  return entry.worst.kind == Kind::kDeadSite && entry.dead && !entry.explained;
}

std::vector<Symptom> FaultTracker::unexplained() const {
  std::vector<Symptom> symptoms;
  for (const auto& [key, entry] : entries_) {
    if (is_unexplained(entry)) symptoms.push_back(entry.worst);
  }
  return symptoms;
}

void FaultTracker::explain(const Symptom& dead) {
  Entry& entry = entries_.at(Key{dead.kind, dead.direction, dead.site, dead.what});
  entry.worst = dead;
  entry.explained = true;
}

bool FaultTracker::has(Symptom::Kind kind, wire::Direction direction, int site) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const auto& each) {
    const Symptom& symptom = each.second.worst;
    return symptom.kind == kind && symptom.direction == direction && symptom.site == site && is_fault(each.second);
  });
}

std::int64_t FaultTracker::observed_since(const Entry& entry) const {
  if (entry.confirmed) return entry.seen;
  return std::max(observed_for(entry.worst.kind, entry.worst.site) - entry.observed_before, entry.seen);
}

bool FaultTracker::is_fault(const Entry& entry) const {
  if (entry.confirmed || entry.worst.proved || at_once(entry.worst.kind)) return true;
  if (entry.worst.kind == Kind::kDeadSite) return entry.dead;
  if (entry.worst.kind == Kind::kVanishedOverflow && entry.missed < kDeadInARow) return true;
  const bool vanished = entry.worst.kind == Kind::kVanishedOverflow;
  return entry.seen >= (vanished ? 1 : kLeastSeen) &&
         static_cast<double>(entry.seen) >=
             (vanished ? kLeastVanished : kLeastShare) * static_cast<double>(observed_since(entry));
}

double FaultTracker::amount_of(const Entry& entry) const {
  if (entry.confirmed || entry.worst.kind == Kind::kLossSpike) return entry.worst.amount;
  return entry.sum / static_cast<double>(observed_since(entry));
}

wire::SilentFault FaultTracker::fault_of(const Entry& entry) const {
  const Symptom& symptom = entry.worst;
  wire::SilentFault fault = silent::fault_of(symptom);
  fault.first_step = entry.first_step;
  fault.last_step = entry.last_step;
  fault.seen = entry.seen;
  fault.observed_steps = observed_since(entry);
  fault.amount = amount_of(entry);
  // A dead call is equally dead in every step, and a low scale's amount is a share of steps: neither has a worst step.
  const bool one_step = entry.confirmed || fault.observed_steps == 1 || symptom.kind == Kind::kLossSpike;
  if (!one_step && symptom.kind != Kind::kDeadSite && symptom.kind != Kind::kLowScale)
    fault.worst_step = entry.worst_step;
  return fault;
}

std::vector<const FaultTracker::Entry*> FaultTracker::ranked() const {
  std::vector<const Entry*> all;
  for (const auto& [key, entry] : entries_) {
    if (is_fault(entry)) all.push_back(&entry);
  }
  const auto is_consequence = [&](const Entry* entry) {
    return entry->worst.kind == Kind::kDeadSite && std::any_of(all.begin(), all.end(), [&](const Entry* other) {
             const bool leaves_nothing =
                 other->worst.kind == Kind::kUnderflow || other->worst.kind == Kind::kVanishedOverflow;
             return leaves_nothing && amount_of(*other) >= kNearlyAll && follows(entry->worst, other->worst);
           });
  };
  std::vector<const Entry*> kept;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kept),
               [&](const Entry* entry) { return !is_consequence(entry); });
  // Dead calls rank no higher than a loss that a scale fixes, so that the remedy comes first.
  std::optional<double> most;
  for (const Entry* entry : kept) {
    if (asks_for_a_scale(entry->worst)) most = std::max(most.value_or(0), amount_of(*entry));
  }
  const auto weight = [&](const Entry* entry) {
    if (entry->worst.harmless) return 0.0;
    const double amount = amount_of(*entry);
    if (entry->worst.kind == Kind::kVanishedOverflow) return 1 + amount;  // proved in a step: others may follow
    return entry->worst.kind == Kind::kDeadSite ? std::min(amount, most.value_or(amount)) : amount;
  };
  std::stable_sort(kept.begin(), kept.end(), [&](const Entry* a, const Entry* b) {
    const double first = weight(a), second = weight(b);
    if (first != second) return first > second;
    const bool dead = a->worst.kind == Kind::kDeadSite;
    if (dead != (b->worst.kind == Kind::kDeadSite)) return !dead;
    return comes_first(a->worst, b->worst);
  });
  return kept;
}

std::vector<wire::SilentFault> FaultTracker::faults() const {
  std::vector<wire::SilentFault> all;
  for (const Entry* entry : ranked()) all.push_back(fault_of(*entry));
  return all;
}

std::vector<wire::SilentFault> FaultTracker::suspected() const {
  std::vector<wire::SilentFault> faults;
  for (const auto& [key, entry] : entries_) {
    const std::int64_t wanted = entry.worst.kind == Kind::kDeadSite ? kDeadInARow : kLeastSeen;
    const bool too_early = observed_for(entry.worst.kind, entry.worst.site) < wanted;
    if (!is_fault(entry) && too_early && !entry.worst.harmless) faults.push_back(fault_of(entry));
  }
  std::stable_sort(faults.begin(), faults.end(), [](const auto& a, const auto& b) { return a.amount > b.amount; });
  return faults;
}

std::vector<wire::SilentFault> FaultTracker::news(bool hold) {
  std::vector<wire::SilentFault> fresh;
  for (const Entry* entry : ranked()) {
    if (entry->reported || (hold && is_unexplained(*entry))) continue;
    const Symptom& symptom = entry->worst;
    entries_.at(Key{symptom.kind, symptom.direction, symptom.site, symptom.what}).reported = true;
    fresh.push_back(fault_of(*entry));
  }
  return fresh;
}

}  // namespace binade::silent
