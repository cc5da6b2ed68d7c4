// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace binade::record {

/// A name for a new run file in `folder`: `<name>-<date>-<time>.binade` in local time, with `-2`, `-3`, ... behind it
/// where that file is there already. What a file name should not hold becomes `-`; an empty name becomes `run`.
/// Makes nothing and does not throw for a folder that cannot be read.
std::string new_run_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace binade::record
