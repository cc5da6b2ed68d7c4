// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/backlog.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

namespace binade::host {

/// Sends what is posted over a descriptor, on a thread of its own: answers at once, the rest at most 60 times a
/// second. Posting never waits, however slow the peer is (Backlog says what it then misses).
class Outbox {
 public:
  /// `descriptor` becomes non-blocking and stays the caller's. `on_broken` is called once, on the sender's thread,
  /// when the peer has gone.
  Outbox(int descriptor, std::function<void()> on_broken);
  /// Sends what waits, and gives up on a peer that takes nothing for two seconds.
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  void post(Outgoing item);

  /// Waits while so many answers wait that the peer cannot be reading them: a peer that only asks is not served on.
  void wait_for_room();

 private:
  void work();
  bool send(std::string_view bytes);

  const int descriptor_;
  const std::function<void()> on_broken_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Backlog backlog_;
  std::atomic<bool> closing_ = false;
  bool broken_ = false;
  std::thread thread_;
};

}  // namespace binade::host
