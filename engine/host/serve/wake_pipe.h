// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace binade::host {

/// A pipe within the process, to wake a thread that waits in poll().
class WakePipe {
 public:
  /// Throws Error{kInternal} if no pipe can be created.
  WakePipe();
  ~WakePipe();
  WakePipe(const WakePipe&) = delete;
  WakePipe& operator=(const WakePipe&) = delete;

  /// Makes descriptor() readable for good. Thread-safe.
  void wake() const;
  /// Descriptor to poll for POLLIN.
  int descriptor() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{-1, -1};
};

}  // namespace binade::host
