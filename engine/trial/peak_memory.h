// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>

namespace binade::trial {

/// Counts the memory of tensors on one device that this thread, and backward passes it starts, allocate and free during
/// its lifetime. LibTorch's allocators report both to one receiver per thread, on CPUs and on GPUs. Memory that a CPU
/// held before is not counted when it is freed. Makes allocations slower: not for steps that are timed.
class PeakMemory {
 public:
  explicit PeakMemory(c10::Device device);
  ~PeakMemory();
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;

  /// The largest number of bytes held at once so far, beyond those held at the start.
  std::int64_t bytes() const;

 private:
  class Receiver;
  const std::shared_ptr<Receiver> receiver_;
  const int log_level_;  ///< of LibTorch, before
  const c10::DebugInfoGuard guard_;
};

}  // namespace binade::trial
