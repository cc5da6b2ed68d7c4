// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::record {

/// Throws Error{kBadFile} for a path that cannot be an SQLite database: missing, a folder, unreadable, empty, or of
/// another format. SQLite's own messages for these do not help. Opens and closes the file, which takes away SQLite's
/// locks on it in this process (POSIX); another process keeps its own.
void check_run_file(const std::string& path);

/// Returns the hint for a file that is not a run file.
std::string not_a_run_file_hint(const std::string& path);

}  // namespace binade::record
