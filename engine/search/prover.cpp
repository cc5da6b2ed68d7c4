// SPDX-License-Identifier: Apache-2.0
#include "engine/search/prover.h"

#include "engine/formats/error.h"
#include "engine/search/candidate_text.h"
#include "engine/search/product_candidates.h"
#include "engine/search/saving.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace binade::search {

namespace {

std::string tries_text(std::int64_t tries) {
  return std::to_string(tries) + (tries == 1 ? " try" : " tries");
}

std::string loss_text(double loss) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.5g", loss);
  return text.data();
}

bool trains_alike(const Proof& proof) {
  return proof.verdict == wire::TrialVerdict::kInsideNoise || proof.verdict == wire::TrialVerdict::kBetter;
}

}  // namespace

Prover::Prover(const Order& order, const StepEvidence& evidence, const std::vector<Candidate>& candidates,
               const Prove& prove, const Report& report, const Progress& from)
    : order_(order),
      evidence_(evidence),
      candidates_(candidates),
      prove_(prove),
      report_(report),
      from_(from),
      base_cost_(base_cost(order.goal, evidence)) {
  progress_.seconds = from.seconds;
}

Prover::Answer Prover::prove(const Changes& changes, const std::string& sentence) {
  const auto known = known_.find(changes);
  if (known != known_.end()) return answer_of(progress_.proven[known->second]);

  Point point = point_of(changes, sentence);
  const auto before = std::find_if(from_.proven.begin(), from_.proven.end(),
                                   [&point](const Point& each) { return each.policy == point.policy; });
  if (before != from_.proven.end()) {
    // Nothing is reported: a search that is stored here and killed would lose the answers that follow.
    point.proof = before->proof;
  } else {
    check_budget();
    progress_.sentence = sentence;
    report();
    if (is_cancelled_) throw cancelled();
    try {
      point.proof = prove_(point.policy);
    } catch (const Error& error) {
      if (error.code != ErrorCode::kCancelled) throw;
      throw cancelled();
    }
  }
  if (order_.goal == Goal::kRepair) {
    point.proof.cost = 0;
    for (const std::size_t change : changes) point.proof.cost += part(candidates_[change]);
    point.proof.base_cost.reset();
    point.proof.cost_noise = 0;
  }
  if (trains_alike(point.proof)) {
    const std::string beyond = beyond_limits(point.proof);
    point.holds = beyond.empty();
    if (!point.holds) point.proof.reason = beyond;
  }
  progress_.tries = point.attempt;
  known_[changes] = progress_.proven.size();
  progress_.proven.push_back(std::move(point));
  // The caller uses the answer even if the search was cancelled meanwhile: the next try ends it.
  if (before == from_.proven.end()) report();
  return answer_of(progress_.proven.back());
}

const Point* Prover::point(const Changes& changes) const {
  const auto known = known_.find(changes);
  return known == known_.end() ? nullptr : &progress_.proven[known->second];
}

Progress Prover::finish(End end, const std::string& sentence) {
  progress_.done = end != End::kCancelled;
  progress_.end = end;
  progress_.sentence = sentence;
  progress_.seconds = seconds();
  if (report_) report_(progress_);
  return std::move(progress_);
}

Point Prover::point_of(const Changes& changes, const std::string& sentence) const {
  Point point;
  point.attempt = progress_.tries + 1;
  std::vector<const Candidate*> chosen;
  for (const std::size_t index : changes) chosen.push_back(&candidates_[index]);
  // Rules and names come in execution order, whatever the order of the candidates.
  std::sort(chosen.begin(), chosen.end(), [](const auto* a, const auto* b) { return a->call < b->call; });
  for (const Candidate* each : chosen) point.changed.push_back(evidence_.calls[each->call].call);
  point.policy = with_changes(order_, evidence_, chosen);
  point.policy.provenance.attempt = "try " + std::to_string(point.attempt) + " of a search";
  std::vector<std::string>& texts = point.policy.provenance.evidence;
  texts.push_back(sentence);
  for (std::size_t i = 0; i < chosen.size(); ++i) texts.push_back(point.changed[i] + ": " + chosen[i]->why);
  return point;
}

void Prover::check_budget() const {
  const Budget& budget = order_.budget;
  if (budget.tries && progress_.tries >= *budget.tries) {
    throw SearchEnd{.end = End::kTries,
                    .reason = *budget.tries <= 0 ? "The budget allows no try."
                                                 : "The budget of " + tries_text(*budget.tries) + " is used up."};
  }
  if (budget.seconds && !(seconds() < *budget.seconds)) {
    // A try is never cut short for it: what it has trained would show nothing.
    throw SearchEnd{.end = End::kTime,
                    .reason = progress_.tries == 0
                                  ? "The budget of time is used up."
                                  : "The budget of time is used up; the try in progress was finished."};
  }
}

SearchEnd Prover::cancelled() const {
  return {.end = End::kCancelled,
          .reason = progress_.proven.empty() ? "The search was cancelled before its first try had ended."
                                             : "The search was cancelled."};
}

void Prover::report() {
  progress_.seconds = seconds();
  if (report_ && !report_(progress_)) is_cancelled_ = true;
}

double Prover::seconds() const {
  return from_.seconds + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string Prover::beyond_limits(const Proof& proof) const {
  const std::optional<double>& limit = order_.limits.evaluation;
  if (!limit || (proof.evaluation && *proof.evaluation <= *limit)) return {};
  if (!proof.evaluation) return "Its loss on the test data is not known, so the limit of it cannot be checked.";
  return "Its loss on the test data, " + loss_text(*proof.evaluation) + ", is above the limit of " + loss_text(*limit) +
         ".";
}

Prover::Answer Prover::answer_of(const Point& point) const {
  const double saved = point.proof.base_cost.value_or(base_cost_) - point.proof.cost;
  return {.holds = point.holds,
          .saved = saved > 0 && saved <= point.proof.cost_noise ? 0 : saved,
          .noise = point.proof.cost_noise};
}

}  // namespace binade::search
