// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace binade::bench {

/// Returns the peak number of bytes of CPU tensors during `work`, beyond those held before. Counts allocations through
/// LibTorch's allocator since the first call. For one thread at a time.
std::int64_t peak_bytes(const std::function<void()>& work);

}  // namespace binade::bench
