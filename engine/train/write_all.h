// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace binade::train {

/// Writes to an open file in parts that every system takes, on through interruptions. Gives how many bytes were
/// written: less than `size` where the system refuses, and errno says why.
std::size_t write_all(int descriptor, const void* data, std::size_t size);

}  // namespace binade::train
