// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace binade::files {

/// Writes to an open file in parts of a size that every system accepts, continuing after interruptions. Returns the
/// number of bytes written; less than `size` on failure, with the reason in errno.
std::size_t write_all(int descriptor, const void* data, std::size_t size);

}  // namespace binade::files
