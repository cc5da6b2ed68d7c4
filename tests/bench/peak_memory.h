// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace binade::bench {

/// The most bytes of CPU tensors that `work` holds at once, beyond what was held when it began. Counts what goes
/// through LibTorch's allocator from the first call on; one thread measures at a time.
std::int64_t peak_bytes(const std::function<void()>& work);

}  // namespace binade::bench
