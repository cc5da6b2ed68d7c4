// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_reader.h"
#include "engine/record/sqlite.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::record {

/// The positions at which a table of parts has rows. Most steps have no parts: a reader of many steps looks up only
/// those that have some.
class PartPositions {
 public:
  /// Reads positions after `after` from the column `seq` of a table: all, only the newest, or none.
  PartPositions(const Database& database, const std::string& table, std::int64_t after,
                Statistics which = Statistics::kAll);

  /// Whether the table may have rows at this position. Always true if its positions could not be read.
  bool has(std::int64_t seq) const;
  /// The last position; -1 if there is none or it is not known.
  std::int64_t last() const { return positions_.empty() ? -1 : positions_.back(); }

 private:
  bool known_ = false;
  std::vector<std::int64_t> positions_;  // ascending
};

/// The steps after a position that have scales of several scalers, facts of several ranks, new tensors, or statistics.
/// Statistics that are not to be read are left out.
struct StepParts {
  StepParts(const Database& database, std::int64_t after, Statistics statistics)
      : scales(database, "step_scales", after),
        ranks(database, "step_ranks", after),
        tensors(database, "tensors", after),
        stats(database, "stats", after, statistics) {}

  PartPositions scales;
  PartPositions ranks;
  PartPositions tensors;
  PartPositions stats;
};

}  // namespace binade::record
