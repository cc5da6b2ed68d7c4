// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"

#include <cstdint>

namespace binade::confine {

/// Limits of a confined process, in bytes. 0: no limit.
struct Limits {
  std::uint64_t largest_file = 0;
  std::uint64_t memory = 0;
};

/// Limits that no honest run reaches: a file may take all but a twentieth of the free space of the disk with the most,
/// and memory ends where the machine's ends, beside the files that are read. With a GPU there is no limit of memory,
/// because its driver reserves addresses far beyond the memory of the machine.
Limits limits_for(const Access& access);

/// Applies them to this process, for good: writing and allocating beyond fail. No core is dumped, since it would hold
/// the model's data. The number of processes is not limited here, because that limit counts all threads of the user;
/// limit_calls() refuses processes.
void apply(const Limits& limits);

}  // namespace binade::confine
