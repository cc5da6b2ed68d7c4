// SPDX-License-Identifier: Apache-2.0
#include "engine/words/rank_text.h"

#include "engine/words/numbers.h"

namespace binade::words {

std::string straggler_text(const wire::RankTotals& totals) {
  if (totals.steps() == 0) return {};
  const auto steps = static_cast<double>(totals.steps());
  const auto rank = totals.straggler();
  if (totals.steps() < wire::RankTotals::kFewestSteps) {
    return "Whether a rank delays the others is not known: " + std::to_string(totals.steps()) + " of " +
           std::to_string(wire::RankTotals::kFewestSteps) + " steps.";
  }
  if (!rank) return "No rank delays the others.";
  const wire::RankTotal& total = totals.ranks()[*rank];
  const double behind = total.behind / steps;
  return "Rank " + std::to_string(*rank) + " was the last in " + percent(static_cast<double>(total.last) / steps) +
         " of " + grouped(static_cast<std::uint64_t>(totals.steps())) + " steps, on average " + duration(behind) +
         " (" + percent(behind / totals.step_seconds()) + " of a step) behind the fastest rank.";
}

std::vector<std::string> rank_columns() {
  return {"rank",    "busy per step",    "waiting per step", "behind the fastest",
          "last in", "overflowed steps", "tensor cores"};
}

std::vector<std::vector<std::string>> rank_rows(const wire::RankTotals& totals) {
  std::vector<std::vector<std::string>> rows;
  const auto steps = static_cast<double>(totals.steps());
  for (const wire::RankTotal& total : totals.ranks()) {
    rows.push_back({std::to_string(rows.size()), duration(total.busy / steps), duration(total.wait / steps),
                    duration(total.behind / steps), percent(static_cast<double>(total.last) / steps) + " of steps",
                    grouped(static_cast<std::uint64_t>(total.overflowed)),
                    total.measured == 0 ? "–" : percent(total.tensor / static_cast<double>(total.measured) / 100)});
  }
  return rows;
}

}  // namespace binade::words
