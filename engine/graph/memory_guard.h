// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace binade::graph {

/// The bytes that processes can still take before the system ends one of them: what /proc/meminfo calls available, with
/// free swap. Nothing where the text says nothing of it.
std::optional<std::uint64_t> memory_left_by(const std::string& meminfo);
/// The same of a control group, from its memory.max, memory.current and memory.stat; the files' pages can be dropped.
/// Nothing where it has no limit.
std::optional<std::uint64_t> memory_left_by(const std::string& max, const std::string& current,
                                            const std::string& stat);
/// The least of both, for this process as it is now. Nothing where the system does not say.
std::optional<std::uint64_t> memory_left();

/// Throws what LibTorch's allocator throws where the system gives no memory, if so many bytes would leave too little.
/// `what` says who asks for them: "you tried to allocate".
void require_memory(std::uint64_t bytes, const std::string& what);

/// Has LibTorch's CPU allocator ask require_memory() for each large tensor and each so many small ones. The system
/// gives more memory than there is, and ends the process once it is written. Once in a process; later calls do nothing.
void guard_memory();

}  // namespace binade::graph
