// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace binade::diagnose {

/// Returns the rows of a batch whose inputs or targets are not finite, or larger than 100 times the median row's
/// largest magnitude, in ascending order. Empty for batches of fewer than four rows, or if such rows are no exception.
std::vector<std::int64_t> outlier_rows(const batches::Batch& batch);

/// Attributes a step's fault to the data instead of a format if the rows of its first cause, as confirmed by a replay,
/// are all outliers.
void blame_outlier_rows(wire::Diagnosis& diagnosis, Replay& replay);

/// Wraps `data` such that outlier rows are replaced by the first other row. `replaced` receives these rows by batch
/// number.
using ReplacedRows = std::map<std::int64_t, wire::BadRows>;
std::unique_ptr<batches::BatchSource> without_outlier_rows(std::unique_ptr<batches::BatchSource> data,
                                                           ReplacedRows& replaced);

}  // namespace binade::diagnose
