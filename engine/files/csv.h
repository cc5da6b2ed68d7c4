// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"

#include <cstddef>
#include <memory>
#include <string>

namespace binade::files {

/// A table of numbers in text, its first line naming the columns: fields parted by commas, semicolons or tabs (what the
/// first line has most of), in double quotes where they hold one of these. A column is int64 where all its values are
/// whole, else float64; `true` and `false` are 1 and 0. Reading goes through the text and keeps none of it: rows are
/// decoded as they are taken, but for a table of which no more than `most_held` values (2^23) were asked for. Throws
/// Error{kBadFile} naming file, line and column for a line with more or fewer fields, an empty field or one that is no
/// number.
std::unique_ptr<ArrayFile> open_csv(const std::string& file, std::size_t most_held);
std::unique_ptr<ArrayFile> open_csv(const std::string& file);

}  // namespace binade::files
