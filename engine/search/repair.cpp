// SPDX-License-Identifier: Apache-2.0
#include "engine/search/repair.h"

#include "engine/search/candidate_text.h"
#include "engine/search/candidates.h"
#include "engine/words/site_text.h"

namespace binade::search {

Repair::Repair(Prover& prover)
    : prover_(prover),
      raised_(
          prover.candidates().size(), false, [this](const Changes& raised) { return holds(raised); },
          set_apart(prover.candidates())) {}

void Repair::run() {
  raised_.find();
}

std::string Repair::result() const {
  const auto& candidates = prover_.candidates();
  if (candidates.empty()) return "No op call can be raised to a higher format.";
  const std::string format = formats::name(candidates.front().format);
  if (raised_.is_hopeless()) {
    return "Even " + format + " throughout does not hold.";
  }
  if (!raised_.is_proven()) return "No policy that holds was found.";
  const std::size_t count = raised_.kept().size();
  const Point* const found = prover_.point(raised_.kept());
  const std::string text =
      "With " + (found ? words::places_text(found->changed) : op_calls(count)) + " in " + format + " the policy trains";
  if (!raised_.is_smallest()) return text + "; which of them can be left out was not tried to the end.";
  return text + (count == 1 ? "." : ", and none of them can be left out.");
}

bool Repair::holds(const Changes& raised) {
  const std::size_t all = prover_.candidates().size();
  const std::string part = raised.size() == all ? "all " : std::to_string(raised.size()) + " of ";
  const std::string format = formats::name(prover_.candidates().front().format);
  return prover_.prove(raised, "Tries " + part + op_calls(all) + " in " + format + ".").holds;
}

}  // namespace binade::search
