// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::fuzz {

/// Makes the folder of write_input(), which this process deletes when it ends. Called before it forks: forked processes
/// use the same folder, and each that made one of its own would leave it behind.
void make_input_folder();

/// Writes `bytes` as the file `input` + `ending` in the folder of this process and of those that it forks. Replaces the
/// file of the last call. Returns the path.
std::string write_input(const std::string& ending, const std::string& bytes);

/// The bytes of a file. Throws std::runtime_error if it cannot be read.
std::string read_file(const std::string& file);
/// Throws std::runtime_error if it cannot be written.
void write_file(const std::string& file, const std::string& bytes);

/// The contents of the files of a folder with this ending, by name.
std::vector<std::string> read_folder(const std::string& folder, const std::string& ending);

}  // namespace binade::fuzz
