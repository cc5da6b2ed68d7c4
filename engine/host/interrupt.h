// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace binade::host {

/// While it lives, the first SIGINT or SIGTERM calls `on_signal` on a thread of its own; a second one ends the process
/// at once with exit code 130. Make it before other threads start: they inherit the blocked signals.
class Interrupt {
 public:
  explicit Interrupt(std::function<void()> on_signal);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::thread waiter_;
};

}  // namespace binade::host
