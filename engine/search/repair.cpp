// SPDX-License-Identifier: Apache-2.0
#include "engine/search/repair.h"

#include "engine/search/candidate_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace binade::search {

namespace {

// Good evidence has what is needed among its first candidates.
constexpr double kFirst = 0.5;      ///< probability that the candidate of the first rank is needed
constexpr double kByRank = 0.82;    ///< factor from one rank to the next
constexpr std::size_t kTop = 8;     ///< ranks from here on are needed only if the evidence misleads
constexpr double kBeyondTop = 0.2;  ///< expected number of needed candidates, at least, if evidence says nothing

Changes difference(const Changes& a, const Changes& b) {
  Changes rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

bool is_part_of(const Changes& part, const Changes& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

}  // namespace

Repair::Repair(Prover& prover) : prover_(prover), raised_(prover.candidates().size()), failing_{{}} {
  std::iota(raised_.begin(), raised_.end(), std::size_t{0});
}

void Repair::run() {
  for (Changes open = unknown(); !open.empty(); open = unknown()) {
    Changes suspects = pool(open, false);
    if (holds_without(suspects)) {
      leave_out(suspects);
      continue;
    }
    while (suspects.size() > 1) {
      const Changes half = pool(suspects, true);
      if (holds_without(half)) {
        leave_out(half);
        suspects = difference(suspects, half);
      } else {
        suspects = half;
      }
    }
    // What was left out is needed only if leaving it out is what made the policy fail.
    if (!proven_ && !holds(raised_, "Tries all " + op_calls(raised_.size()) + " in the higher format.")) {
      hopeless_ = true;
      return;
    }
    needed_.insert(std::upper_bound(needed_.begin(), needed_.end(), suspects.front()), suspects.front());
  }
  hopeless_ = raised_.empty();
  minimal_ = !hopeless_;
}

std::string Repair::result() const {
  const auto& candidates = prover_.candidates();
  if (candidates.empty()) return "No op call can be raised to a higher format.";
  const std::string format = formats::name(candidates.front().format);
  if (hopeless_) {
    return format == "float32" ? "Even float32 throughout does not hold."
                               : "Even " + format + " throughout does not hold.";
  }
  if (!proven_) return "No policy that holds was found.";
  const std::string text = "With " + op_calls(raised_.size()) + " in " + format + " the policy trains";
  if (!minimal_) return text + "; which of them can be left out was not tried to the end.";
  return text + (raised_.size() == 1 ? "." : ", and none of them can be left out.");
}

bool Repair::holds(const Changes& raised, const std::string& sentence) {
  const bool fails = std::any_of(failing_.begin(), failing_.end(),
                                 [&raised](const Changes& each) { return is_part_of(raised, each); });
  if (fails) return false;
  if (prover_.prove(raised, sentence).holds) {
    proven_ = true;
    return true;
  }
  failing_.push_back(raised);
  return false;
}

bool Repair::holds_without(const Changes& pool) {
  const Changes rest = difference(raised_, pool);
  return holds(rest,
               "Tries " + op_calls(rest.size()) + " in " + formats::name(prover_.candidates().front().format) + ".");
}

void Repair::leave_out(const Changes& pool) {
  raised_ = difference(raised_, pool);
}

Changes Repair::unknown() const {
  return difference(raised_, needed_);
}

Changes Repair::pool(const Changes& of, bool one_is_needed) const {
  double all_clean = 1;
  for (const std::size_t each : of) all_clean *= 1 - probability(each);
  const std::size_t most = one_is_needed ? of.size() - 1 : of.size();
  std::size_t best = 1;
  double best_distance = 1;
  double clean = 1;
  for (std::size_t size = 1; size <= most; ++size) {
    clean *= 1 - probability(of[of.size() - size]);
    const double chance = one_is_needed ? (clean - all_clean) / (1 - all_clean) : clean;
    const double distance = std::abs(chance - 0.5);
    if (distance > best_distance) break;  // the chance falls with the size
    best_distance = distance;
    best = size;
  }
  return Changes(of.end() - static_cast<std::ptrdiff_t>(best), of.end());
}

double Repair::probability(std::size_t candidate) const {
  const std::size_t count = prover_.candidates().size();
  const double by_rank = kFirst * std::pow(kByRank, static_cast<double>(candidate));
  const double least = kBeyondTop / static_cast<double>(count);
  // Each needed candidate beyond the top shows that the evidence misleads: the share found so far counts instead.
  const auto beyond = [](const Changes& set) {
    return static_cast<std::size_t>(set.end() - std::lower_bound(set.begin(), set.end(), kTop));
  };
  const std::size_t needed = beyond(needed_);
  const std::size_t settled = (count > kTop ? count - kTop : 0) - beyond(unknown());
  const double share = static_cast<double>(needed) / static_cast<double>(settled + 2);
  return std::min(kFirst, std::max({by_rank, least, share}));
}

}  // namespace binade::search
