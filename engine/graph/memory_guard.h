// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace binade::graph {

/// Bytes that processes can still allocate before the system ends one: MemAvailable and SwapFree of /proc/meminfo.
/// Empty if the text has no such field.
std::optional<std::uint64_t> memory_left_by(const std::string& meminfo);
/// The same for a control group, from its memory.max, memory.current and memory.stat; file pages count as free. Empty
/// if the group has no limit.
std::optional<std::uint64_t> memory_left_by(const std::string& max, const std::string& current,
                                            const std::string& stat);
/// The smaller of both for this process, at present. Empty if the system provides neither.
std::optional<std::uint64_t> memory_left();

/// Throws the exception of LibTorch's allocator for a failed allocation if `bytes` more would leave too little memory.
/// `what` begins the request in the message: "you tried to allocate".
void require_memory(std::uint64_t bytes, const std::string& what);

/// Makes LibTorch's CPU allocator call require_memory() whenever it has allocated 64 MiB since the last call. Linux
/// grants more memory than there is, and ends the process when it is written. Takes effect once per process; later
/// calls do nothing.
void guard_memory();

}  // namespace binade::graph
