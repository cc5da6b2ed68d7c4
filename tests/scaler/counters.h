// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/record_function.h>

#include <memory>
#include <string_view>

namespace binade::test {

/// Counts the ops of this thread that wait for the device: `aten::_local_scalar_dense`, which `item()` calls. What
/// LibTorch's fused optimizers read of their step counts on a CPU does not count: on a device they read it there. One
/// counter at a time.
class ReadCounter {
 public:
  ReadCounter() {
    count_ = 0;
    handle_ = at::addThreadLocalCallback(
        at::RecordFunctionCallback(
            [](const at::RecordFunction& function) -> std::unique_ptr<at::ObserverContext> {
              if (isFused(function)) ++inside_;
              if (inside_ == 0 && std::string_view(function.name()) == "aten::_local_scalar_dense") {
                ++count_;
              }
              return nullptr;
            },
            [](const at::RecordFunction& function, at::ObserverContext*) {
              if (isFused(function)) --inside_;
            })
            .scopes({at::RecordScope::FUNCTION}));
  }
  ~ReadCounter() { at::removeCallback(handle_); }
  ReadCounter(const ReadCounter&) = delete;
  ReadCounter& operator=(const ReadCounter&) = delete;
  static int count() { return count_; }

 private:
  static bool isFused(const at::RecordFunction& function) {
    return std::string_view(function.name()).starts_with("aten::_fused_");
  }

  at::CallbackHandle handle_;
  static inline thread_local int count_ = 0;
  static inline thread_local int inside_ = 0;
};

}  // namespace binade::test
