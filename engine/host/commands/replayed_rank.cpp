// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/replayed_rank.h"

#include <algorithm>

namespace binade::host {

ReplayedRank replayed_rank(const wire::RunStarted& run, const wire::Event& event) {
  ReplayedRank chosen;
  const int ranks = static_cast<int>(run.ranks.size());
  if (ranks < 2) return chosen;
  const std::string all = "The run had " + std::to_string(ranks) + " ranks. ";
  const std::string whole =
      "The replay takes the whole batch in one process: its values equal those of the ranks up to ";
  const bool has_norm = std::any_of(run.model.sites.begin(), run.model.sites.end(),
                                    [](const wire::SiteInfo& site) { return site.key.op == "aten::batch_norm"; });
  if (run.config.batch_norm == "synchronised" && has_norm) {
    chosen.limits = all + "Their batch norms were synchronised, which one rank alone cannot repeat. " + whole +
                    "rounding, and random numbers are others.";
    return chosen;
  }
  if (!event.rank || *event.rank < 0 || *event.rank >= ranks) {
    chosen.limits = all + "No single one caused this event. " + whole + "rounding" +
                    (has_norm ? " and batch norms, which were local" : "") + ", and random numbers are others.";
    return chosen;
  }
  chosen.rank = event.rank;
  chosen.shard = {*event.rank, ranks};
  return chosen;
}

}  // namespace binade::host
