// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade {

/// What every file is asked that is about to be opened for reading. Throws Error{kBadFile} for what may wait for ever
/// or has no end: a named pipe, a socket, a device; and for links that lead around in a circle. What is missing, a
/// folder or unreadable passes: each reader says in its own words what it wanted instead.
void check_input_file(const std::string& file);

/// ` A relative path starts at the working folder, /data/runs.`; empty for an absolute path.
std::string hint_on_start(const std::string& file);

/// Throws Error{kBadFile} for a file that does not exist, with hint_on_start().
[[noreturn]] void refuse_missing_file(const std::string& file);

/// The whole of a text file. A pipe passes too where this process has it open already (/dev/stdin, `<(command)`), as
/// long as it gives something every ten seconds and ends within 16 MiB. Throws Error{kBadFile} where it cannot be read.
std::string read_input_text(const std::string& file);

}  // namespace binade
