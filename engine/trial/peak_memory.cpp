// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/peak_memory.h"

#include <c10/core/Allocator.h>
#include <c10/util/Flags.h>

#include <algorithm>
#include <mutex>
#include <utility>

C10_DECLARE_int(caffe2_log_level);

namespace binade::trial {

namespace {

constexpr int kErrorsOnly = 2;

}  // namespace

class PeakMemory::Receiver : public c10::MemoryReportingInfoBase {
 public:
  explicit Receiver(c10::Device device) : device_(device) {}

  void reportMemoryUsage(void* /*memory*/, std::int64_t bytes, std::size_t /*allocated*/, std::size_t /*reserved*/,
                         c10::Device device) override {
    if (device.type() != device_.type()) return;
    const std::scoped_lock lock(mutex_);  // backward runs on a thread of the device
    held_ += bytes;
    peak_ = std::max(peak_, held_);
  }
  bool memoryProfilingEnabled() const override { return true; }

  std::int64_t peak() {
    const std::scoped_lock lock(mutex_);
    return peak_;
  }

 private:
  const c10::Device device_;
  std::mutex mutex_;
  std::int64_t held_ = 0;
  std::int64_t peak_ = 0;
};

// The CPU allocator warns on standard error about freed memory that was allocated before, which is expected here.
PeakMemory::PeakMemory(c10::Device device)
    : receiver_(std::make_shared<Receiver>(device)),
      log_level_(std::exchange(FLAGS_caffe2_log_level, std::max(FLAGS_caffe2_log_level, kErrorsOnly))),
      guard_(c10::DebugInfoKind::PROFILER_STATE, receiver_) {}

PeakMemory::~PeakMemory() {
  FLAGS_caffe2_log_level = log_level_;
}

std::int64_t PeakMemory::bytes() const {
  return receiver_->peak();
}

}  // namespace binade::trial
