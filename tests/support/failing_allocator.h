// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <cstdint>

namespace binade::test {

/// LibTorch's allocator, with one request that can be made to fail as if memory had run out. For one thread.
class FailingAllocator : public c10::Allocator {
 public:
  /// Replaces LibTorch's allocator at the first call, for the rest of the process.
  static FailingAllocator& instance() {
    static FailingAllocator allocator(*c10::GetCPUAllocator());
    static const bool installed = [] {
      c10::SetCPUAllocator(&allocator, /*priority=*/1);
      return true;
    }();
    static_cast<void>(installed);
    return allocator;
  }

  /// Makes the request after the next `count` ones fail, once.
  void fail_after(std::int64_t count) { left_ = count; }
  /// Cancels the failure. Returns whether it was still pending.
  bool disarm() {
    const bool waiting = left_ >= 0;
    left_ = -1;
    return waiting;
  }

  c10::DataPtr allocate(std::size_t bytes) override {
    if (left_ >= 0 && left_-- == 0) {
      TORCH_CHECK(false, "DefaultCPUAllocator: can't allocate memory: you tried to allocate ", bytes, " bytes.");
    }
    return inner_.allocate(bytes);
  }
  c10::DeleterFnPtr raw_deleter() const override { return inner_.raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { inner_.copy_data(to, from, bytes); }

 private:
  explicit FailingAllocator(c10::Allocator& inner) : inner_(inner) {}

  c10::Allocator& inner_;
  std::int64_t left_ = -1;  ///< negative: no failure is pending
};

}  // namespace binade::test
