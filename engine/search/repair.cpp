// SPDX-License-Identifier: Apache-2.0
#include "engine/search/repair.h"

#include "engine/search/candidate_text.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace binade::search {

namespace {

Changes difference(const Changes& a, const Changes& b) {
  Changes rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

Changes together(const Changes& a, const Changes& b) {
  Changes all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

bool is_part_of(const Changes& part, const Changes& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

}  // namespace

Repair::Repair(Prover& prover)
    : prover_(prover), belief_(prover.candidates().size()), raised_(prover.candidates().size()), failing_{Changes()} {
  std::iota(raised_.begin(), raised_.end(), std::size_t{0});
  known_.suspects = raised_;  // since the base fails
}

void Repair::run() {
  while (true) {
    const Changes open = difference(raised_, known_.needed);
    if (open.empty()) break;
    Changes& suspects = known_.suspects;
    if (suspects.size() == 1) {
      // Leaving it out made the policy fail only if the policy holds with it.
      if (!proven_ && !holds(raised_)) {
        hopeless_ = true;
        return;
      }
      known_.needed = together(known_.needed, suspects);
      suspects.clear();
      continue;
    }
    const Changes pool = belief_.pool(suspects.empty() ? open : suspects, known_);
    const Changes rest = difference(raised_, pool);
    if (!holds(rest)) {
      suspects = pool;
      continue;
    }
    raised_ = rest;
    known_.superfluous = together(known_.superfluous, pool);
    suspects = difference(suspects, pool);
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

bool Repair::holds(const Changes& raised) {
  const bool fails = std::any_of(failing_.begin(), failing_.end(),
                                 [&raised](const Changes& each) { return is_part_of(raised, each); });
  if (fails) return false;
  const std::size_t all = prover_.candidates().size();
  const std::string sentence =
      "Tries " +
      (raised.size() == all ? "all " + op_calls(all) : std::to_string(raised.size()) + " of " + op_calls(all)) +
      " in " + formats::name(prover_.candidates().front().format) + ".";
  if (prover_.prove(raised, sentence).holds) {
    proven_ = true;
    return true;
  }
  failing_.push_back(raised);
  return false;
}

}  // namespace binade::search
