// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace binade::record {

/// Returns a path for a new run file in `folder`: `<name>-<date>-<time>.binade` in local time, with the suffix `-2`,
/// `-3`, ... if that file exists. Characters that are unsuitable in file names become `-`; an empty name becomes `run`.
/// Creates no file, and does not throw if the folder cannot be read.
std::string new_run_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace binade::record
