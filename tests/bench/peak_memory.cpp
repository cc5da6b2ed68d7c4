// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/peak_memory.h"

#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace binade::bench {

namespace {

std::atomic<std::int64_t> held{0};
std::atomic<std::int64_t> most{0};

void note(std::int64_t bytes) {
  const std::int64_t now = held.fetch_add(bytes) + bytes;
  std::int64_t seen = most.load();
  while (now > seen && !most.compare_exchange_weak(seen, now)) {
  }
}

/// Wraps LibTorch's allocator and counts. The context of an allocation is its memory, as LibTorch's raw allocations
/// require.
class CountingAllocator : public c10::Allocator {
 public:
  explicit CountingAllocator(c10::Allocator& inner) : inner_(inner) { self = this; }

  c10::DataPtr allocate(std::size_t bytes) override {
    void* const memory = inner_.raw_allocate(bytes);
    {
      const std::scoped_lock lock(mutex_);
      sizes_[memory] = static_cast<std::int64_t>(bytes);
    }
    note(static_cast<std::int64_t>(bytes));
    return {memory, memory, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

 private:
  static void release(void* memory) {
    if (memory == nullptr) return;
    {
      const std::scoped_lock lock(self->mutex_);
      const auto found = self->sizes_.find(memory);
      if (found != self->sizes_.end()) {
        held -= found->second;
        self->sizes_.erase(found);
      }
    }
    self->inner_.raw_deallocate(memory);
  }

  static inline CountingAllocator* self = nullptr;
  c10::Allocator& inner_;
  std::mutex mutex_;
  std::unordered_map<void*, std::int64_t> sizes_;
};

}  // namespace

std::int64_t peak_bytes(const std::function<void()>& work) {
  static CountingAllocator counting(*c10::GetCPUAllocator());
  static const bool installed = [] {
    c10::SetCPUAllocator(&counting, /*priority=*/1);
    return true;
  }();
  static_cast<void>(installed);
  const std::int64_t before = held.load();
  most = before;
  work();
  return most.load() - before;
}

}  // namespace binade::bench
