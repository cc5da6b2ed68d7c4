// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace binade::host {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP (unless that is ignored) calls `on_signal` on a thread of its
/// own; a second SIGINT or SIGTERM ends the process at once with exit code 130. So does the first, two seconds later,
/// as long as `nothing_to_keep` says that no work would be lost. Make it before other threads start: they inherit the
/// blocked signals.
class Interrupt {
 public:
  Interrupt(std::function<void()> on_signal, std::function<bool()> nothing_to_keep);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::thread waiter_;
};

}  // namespace binade::host
