// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/wake_pipe.h"

#include <chrono>
#include <thread>

namespace binade::host {

/// Ends the process a grace after the other end of `input` has gone, whatever its threads do: a model may be inside one
/// call for minutes, and nobody is left to stop it. What the run file and the last checkpoint hold by then stays; a
/// training that comes to a step boundary in time ends by itself, and the process with it.
/// Asks the descriptor, not for its bytes: a peer that has gone is noticed while requests of its still wait.
class PeerWatch {
 public:
  /// `input` stays the caller's and must outlive this.
  PeerWatch(int input, std::chrono::milliseconds grace);
  /// Everything has ended in time.
  ~PeerWatch();
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;

  /// The input has come to its end, as that of a file does without anybody going: the grace begins, if it has not.
  void gone() { gone_.wake(); }

 private:
  void watch(int input, std::chrono::milliseconds grace);

  WakePipe gone_;
  WakePipe over_;
  std::thread thread_;
};

}  // namespace binade::host
