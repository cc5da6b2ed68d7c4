// SPDX-License-Identifier: Apache-2.0
#include "engine/search/leave_scaled_formats.h"
#include "engine/search/product_candidates.h"
#include "engine/search/reference.h"
#include "engine/search/repair.h"
#include "engine/search/save_search.h"

namespace binade::search {

namespace {

/// Runs a strategy to its end or to that of the budget.
template <typename Strategy>
Progress run_to_end(Strategy& strategy, Prover& prover) {
  try {
    strategy.run();
    return prover.finish(End::kNothingLeft, strategy.result());
  } catch (const SearchEnd& end) {
    return prover.finish(end.end, end.reason + " " + strategy.result());
  }
}

std::vector<Candidate> candidates_of(const Order& order, const StepEvidence& evidence) {
  if (leaves_scaled_formats(order)) return product_candidates(order, evidence);
  return order.goal == Goal::kRepair ? repair_candidates(order, evidence) : saving_candidates(order, evidence);
}

}  // namespace

Progress run(const Order& order, const StepEvidence& evidence, const Prove& prove, const Report& report,
             const Progress& from) {
  const std::vector<Candidate> candidates = candidates_of(order, evidence);
  Prover prover(order, evidence, candidates, prove, report, from);
  if (leaves_scaled_formats(order)) {
    LeaveScaledFormats leave(prover);
    return run_to_end(leave, prover);
  }
  if (order.goal == Goal::kRepair) {
    Repair repair(prover);
    return run_to_end(repair, prover);
  }
  SaveSearch search(order, evidence, prover);
  return run_to_end(search, prover);
}

}  // namespace binade::search
