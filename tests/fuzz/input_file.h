// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::fuzz {

/// Writes `bytes` as the file `input` + `ending` in a folder of this process and of the processes that it forks, which
/// is deleted when it ends. Replaces the file of the last call. Returns the path.
std::string write_input(const std::string& ending, const std::string& bytes);

/// The bytes of a file. Throws std::runtime_error if it cannot be read.
std::string read_file(const std::string& file);
/// Throws std::runtime_error if it cannot be written.
void write_file(const std::string& file, const std::string& bytes);

/// The contents of the files of a folder with this ending, by name.
std::vector<std::string> read_folder(const std::string& folder, const std::string& ending);

}  // namespace binade::fuzz
