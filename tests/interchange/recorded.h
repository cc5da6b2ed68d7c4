// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_record.h"

#include <string>
#include <vector>

namespace binade::test {

/// A short profiled run with what exports must get right: NaN and infinities, quotes and line breaks in texts, skipped
/// steps, a rewind, several kinds of gradients, scans.
std::vector<record::RunRecord> recordedHistory();

/// Records a history into the new file `path`.
void recordRun(const std::string& path, const std::vector<record::RunRecord>& history);

/// The statistics of the gradient that every second step of recordedHistory() observes as tensor 0.
formats::TensorStats gradientStats(std::int64_t step);

}  // namespace binade::test
