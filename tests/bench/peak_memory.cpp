// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/peak_memory.h"

#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <atomic>
#include <cstring>

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

/// LibTorch's own allocator, with a count beside it.
class CountingAllocator : public c10::Allocator {
 public:
  explicit CountingAllocator(c10::Allocator& inner) : inner_(inner) {}

  c10::DataPtr allocate(std::size_t bytes) override {
    c10::DataPtr data = inner_.allocate(bytes);
    void* const memory = data.get();
    const c10::Device device = data.device();
    note(static_cast<std::int64_t>(bytes));
    return {memory, new Block{std::move(data), static_cast<std::int64_t>(bytes)}, &release, device};
  }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

 private:
  struct Block {
    c10::DataPtr data;
    std::int64_t bytes;
  };
  static void release(void* context) {
    auto* block = static_cast<Block*>(context);
    held -= block->bytes;
    delete block;
  }

  c10::Allocator& inner_;
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
