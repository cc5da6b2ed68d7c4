// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/wake_pipe.h"

#include <chrono>
#include <thread>

namespace binade::host {

/// Ends the process by _exit, with exit code 130, a grace period after the other end of `input` has closed. A model can
/// spend minutes inside one call that nothing can stop; the run file and the last checkpoint keep what they hold. If
/// the training reaches a step boundary in time, the process ends normally.
/// A closed peer is noticed even while its requests are unread. The pipe is watched, and not the death of the parent
/// process: over ssh and behind wrappers the parent is not the explorer.
class PeerWatch {
 public:
  /// The caller keeps ownership of `input`, which must outlive this.
  PeerWatch(int input, std::chrono::milliseconds grace);
  /// Cancels the watch.
  ~PeerWatch();
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;

  /// Starts the grace period, if it has not started. Call it at the end of input: the end of a file closes nothing.
  void gone() { gone_.wake(); }

 private:
  void watch(int input, std::chrono::milliseconds grace);

  WakePipe gone_;
  WakePipe over_;
  std::thread thread_;
};

}  // namespace binade::host
