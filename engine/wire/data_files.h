// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>
#include <vector>

namespace binade::wire {

/// Returns the file of an IDX folder that a run reads for a name without .gz: the plain file if it exists, else the
/// gzip one; empty if neither exists. For any thread.
std::string find_idx_file(const std::string& folder, const std::string& name);

/// Returns the files that a run reads its batches from: those that kind `files` names, or those of the four files of an
/// IDX folder that exist. Other files of that folder are not read and not in it. Empty for synthetic data. For any
/// thread.
std::vector<std::string> data_files(const DataConfig& data);

}  // namespace binade::wire
