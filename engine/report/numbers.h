// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/html.h"

#include <cstdint>
#include <string>

// Numbers in the form that the page shows.

namespace binade::report {

/// `1,048,576`.
std::string count_text(std::int64_t count);
/// With a unit that suits it: `1.2 µs`, `13.4 ms`, `2 min 5 s`.
std::string duration_text(double seconds);
/// `13.4 MB`.
std::string bytes_text(double bytes);
/// `1 step`, `7 steps`.
std::string counted(std::int64_t count, const char* one, const char* many);
/// Doublings left, rounded down to a tenth.
std::string doublings_text(double headroom);

/// The same as markup: a number that is not finite is red.
Html number_cell(double value);

}  // namespace binade::report
