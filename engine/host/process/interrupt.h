// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace binade::host {

/// What an interrupt says, without a full stop while there is nothing to keep.
struct InterruptWords {
  std::string ending = "the run is still being set up, and no data is lost";  ///< after the first signal
  std::string cancelled = "Cancelled during setup of the run";                ///< at an end in the middle of the work
  bool silent = false;                                                        ///< says nothing: another process does
};

/// Handles signals while it lives. The first SIGINT, SIGTERM or SIGHUP (unless ignored) calls `on_signal` on a thread
/// of its own. A second SIGINT or SIGTERM ends the process at once with exit code 130. So does the first, as soon as
/// `nothing_to_keep`, asked every two seconds from then on, returns true. Create it before other threads, which must
/// inherit the blocked signals.
class Interrupt {
 public:
  Interrupt(std::function<void()> on_signal, std::function<bool()> nothing_to_keep, InterruptWords words = {});
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::thread waiter_;
};

}  // namespace binade::host
