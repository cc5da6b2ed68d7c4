// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace binade::host {

/// A pipe to ourselves: wakes a thread that waits in poll().
class WakePipe {
 public:
  /// Throws Error{kInternal} where no pipe can be made.
  WakePipe();
  ~WakePipe();
  WakePipe(const WakePipe&) = delete;
  WakePipe& operator=(const WakePipe&) = delete;

  /// From any thread; it stays woken.
  void wake() const;
  /// Readable once it was woken.
  int descriptor() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{-1, -1};
};

}  // namespace binade::host
