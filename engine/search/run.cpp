// SPDX-License-Identifier: Apache-2.0
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

}  // namespace

Progress run(const Order& order, const StepEvidence& evidence, const Prove& prove, const Report& report,
             const Progress& from) {
  const bool repairs = order.goal == Goal::kRepair;
  const std::vector<Candidate> candidates =
      repairs ? repair_candidates(order, evidence) : saving_candidates(order, evidence);
  Prover prover(order, evidence, candidates, prove, report, from);
  if (repairs) {
    Repair repair(prover);
    return run_to_end(repair, prover);
  }
  SaveSearch search(order, evidence, prover);
  return run_to_end(search, prover);
}

}  // namespace binade::search
