// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace binade::bench {

/// Nanoseconds of the clock that all processes of this machine share.
std::int64_t shared_clock();

/// Starts `engine serve` with this process's standard input, and passes its output on to standard output, byte for
/// byte. Appends to `log` when the bytes of each skipped step had come from the engine. Returns at the engine's end.
int relay(const std::string& engine, const std::string& log);

/// Reads such a log: for each skipped step, the time at which its bytes had come.
std::map<std::int64_t, std::int64_t> skipped_steps(const std::string& log);

}  // namespace binade::bench
