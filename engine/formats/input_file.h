// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade {

/// Throws Error{kBadFile} if reading the file could block or never end (a named pipe, a socket, a device), or if its
/// symbolic links form a cycle. Accepts missing and unreadable files and folders; the reader reports these. Call it
/// before opening a file for reading.
void check_input_file(const std::string& file);

/// ` A relative path starts at the working folder, /data/runs.`; empty for an absolute path.
std::string hint_on_start(const std::string& file);

/// Throws Error{kBadFile} for a file that does not exist, with hint_on_start().
[[noreturn]] void refuse_missing_file(const std::string& file);

/// refuse_missing_file() unless there is a file or a folder of this name.
void refuse_if_missing(const std::string& file);

/// Returns the content of a text file. Also accepts a pipe that this process already has open (/dev/stdin,
/// `<(command)`), if it delivers data at least every ten seconds and ends within 16 MiB. Throws Error{kBadFile} if the
/// file cannot be read.
std::string read_input_text(const std::string& file);

}  // namespace binade
