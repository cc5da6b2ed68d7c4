// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"

#include <cstddef>
#include <memory>
#include <string>

namespace binade::files {

/// Opens a text table of numbers whose first line contains the column names. The separator is the comma, semicolon or
/// tab, whichever is most frequent in the first line; a field that contains it must be in double quotes. A column is
/// int64 if all its values are integers, else float64; `true` and `false` are 1 and 0. Reading scans the text once.
/// Rows are decoded when they are taken, except that a table of at most `most_held` requested values (default 2^23) is
/// kept decoded. Throws Error{kBadFile}, naming file, line and column, for a line with too many or too few fields, and
/// for a field that is empty or not a number.
std::unique_ptr<ArrayFile> open_csv(const std::string& file, std::size_t most_held);
std::unique_ptr<ArrayFile> open_csv(const std::string& file);

}  // namespace binade::files
