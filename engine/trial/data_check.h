// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>
#include <vector>

namespace binade::trial {

/// Checks that a run takes the batches that the run of a checkpoint took: data, batch, accumulate and seed are equal.
/// The folders of files do not count, since a run may have been moved. Throws Error{kBadRun} naming each field that
/// differs, and Error{kBadFile} for a file that is no checkpoint. Returns a sentence for each file of data that was
/// written after the checkpoint was saved.
std::vector<std::string> check_data(const wire::RunConfig& run, const std::string& checkpoint);

}  // namespace binade::trial
