// SPDX-License-Identifier: Apache-2.0
#include "engine/search/save_search.h"

#include "engine/search/candidate_text.h"
#include "engine/search/needed_set.h"
#include "engine/search/saving.h"

#include <algorithm>
#include <utility>

namespace binade::search {

namespace {

/// Share of a step's time below which a saving cannot be told from the variation of measured times.
constexpr double kLeastShareOfTime = 0.002;

const char* quantity(Goal goal) {
  switch (goal) {
    case Goal::kTime:
      return "time";
    case Goal::kMemory:
      return "memory";
    default:
      return "casts";
  }
}

}  // namespace

SaveSearch::SaveSearch(const Order& order, const StepEvidence& evidence, Prover& prover)
    : order_(order), evidence_(evidence), prover_(prover) {
  const bool timed = std::any_of(evidence.calls.begin(), evidence.calls.end(),
                                 [](const CallEvidence& call) { return call.seconds > 0; });
  if (order.goal == Goal::kTime && timed) least_saving_ = kLeastShareOfTime * evidence.step_seconds;
}

void SaveSearch::run() {
  for (const Group& group : groups_of(order_, evidence_, prover_.candidates())) settle(group);
  // A change that removes no casts while its neighbours are as before may do so now.
  Group again{std::exchange(no_saving_, {}), 0, " that saved nothing before their neighbours were changed."};
  again.whole = again.members.size();
  std::sort(again.members.begin(), again.members.end());
  if (!accepted_.empty() && !again.members.empty()) settle(again);
  ended_ = true;
}

void SaveSearch::settle(const Group& group) {
  if (estimate(group.members) < least_saving_) return;
  Group harmless = group;
  if (!holds(accepted_, harmless)) harmless = without_harm(group);
  if (harmless.members.empty() || with(accepted_, harmless.members) == accepted_) return;
  if (harmless.members.size() == 1) {
    no_saving_.push_back(harmless.members.front());
    return;
  }
  for (const Group& part : split_by_place(prover_.candidates(), harmless)) {
    // What a smaller part saves could not be measured, or would count as nothing.
    if (noise_ == 0 || estimate(part.members) > noise_) settle(part);
  }
}

Group SaveSearch::without_harm(const Group& group) {
  const Changes ranked = by_risk(order_, prover_.candidates(), group.members);
  const Changes base = accepted_;
  const auto rest_of = [&group, &ranked](const Changes& left_out) {
    Changes ranks = left_out;
    for (std::size_t& each : ranks) each = ranked[each];
    std::sort(ranks.begin(), ranks.end());
    return Group{difference(group.members, ranks), group.whole, group.common};
  };
  // With all members left out it is the accepted set, which holds.
  NeededSet harmful(ranked.size(), true, [&](const Changes& left_out) { return holds(base, rest_of(left_out)); });
  harmful.find();
  return rest_of(harmful.kept());
}

bool SaveSearch::holds(const Changes& base, const Group& group) {
  Changes changes = with(base, group.members);
  if (changes == accepted_) return true;
  const Prover::Answer answer = prover_.prove(changes, group.sentence());
  noise_ = std::max(noise_, answer.noise);
  if (answer.holds && answer.saved > saved_) {
    accepted_ = std::move(changes);
    saved_ = answer.saved;
  }
  return answer.holds;
}

Changes SaveSearch::with(const Changes& base, const Changes& members) const {
  const auto& candidates = prover_.candidates();
  Changes changes = members;
  for (const std::size_t old : base) {
    const bool replaced = std::any_of(members.begin(), members.end(), [&](std::size_t member) {
      return candidates[member].call == candidates[old].call;
    });
    if (!replaced) changes.push_back(old);
  }
  std::sort(changes.begin(), changes.end());
  return changes;
}

double SaveSearch::estimate(const Changes& members) const {
  double saving = 0;
  for (const std::size_t member : members) saving += prover_.candidates()[member].saving;
  return saving;
}

std::string SaveSearch::result() const {
  if (accepted_.empty()) {
    const Limits& limits = order_.limits;
    const bool limited = !limits.fixed.empty() || !limits.formats.empty();
    const char* const why = !ended_                        ? ""
                            : prover_.candidates().empty() ? limited
                                                                 ? "The limits allow no op call another format. "
                                                                 : "The base list offers no op call another format: "
                                                                   "name some as formats of the search, --formats. "
                            : prover_.proven().empty()     ? "No other format promises to save anything. "
                                                           : "Nothing is left to try. ";
    return why + std::string("Nothing better than the present policy was found.");
  }
  std::string text = ended_ ? "Nothing is left to try. " : "";
  text += "The cheapest policy changes " + op_calls(accepted_.size());
  if (const Point* const cheapest = prover_.point(accepted_)) text += " (" + changes_text(*cheapest) + ")";
  // The share is of the base as it was measured beside the policy.
  for (const Point& point : prover_.proven()) {
    const double base = point.proof.base_cost.value_or(base_cost(order_.goal, evidence_));
    if (!point.holds || base - point.proof.cost != saved_ || !(base > 0)) continue;
    text += " and saves " + percent(saved_ / base) + " of the " + quantity(order_.goal) + " of a step";
    break;
  }
  return text + float32_text() + ".";
}

// A policy with hardly a low format left has few casts too, which is not what most people search for.
std::string SaveSearch::float32_text() const {
  std::vector<formats::Format> now = present_formats(evidence_);
  for (const std::size_t each : accepted_) {
    const Candidate& candidate = prover_.candidates()[each];
    if (!candidate.raises) return {};
    now[candidate.call] = candidate.format;
  }
  const auto others = static_cast<std::size_t>(std::count_if(
      now.begin(), now.end(), [](const formats::Format& format) { return !(format == formats::kFloat32); }));
  constexpr std::size_t kNearlyAll = 10;  // one op call in as many is left
  if (others * kNearlyAll > now.size()) return {};
  return others == 0 ? ": every op call in float32" : ": all but " + op_calls(others) + " in float32";
}

}  // namespace binade::search
