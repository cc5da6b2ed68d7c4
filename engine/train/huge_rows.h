// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/replay.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace binade::train {

/// Rows of a batch whose inputs or targets reach far beyond those of the others, or are not finite: by a hundred times the largest
/// magnitude of the middle row. Ascending; none in batches of fewer than four rows, or where they are no exception.
std::vector<std::int64_t> huge_rows(const Batch& batch);

/// Says of a step whose first cause lies in such rows, as a replay with others in their place has shown, that the data
/// is to blame and not a format.
void blame_huge_rows(wire::Diagnosis& diagnosis, Replay& replay);

/// Batches in which such rows are replaced by the first row that is none of them. `replaced`: takes which they were, by
/// the number of the batch.
using ReplacedRows = std::map<std::int64_t, wire::BadRows>;
std::unique_ptr<BatchSource> without_huge_rows(std::unique_ptr<BatchSource> data, ReplacedRows& replaced);

}  // namespace binade::train
