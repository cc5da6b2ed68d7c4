// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/backlog.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

namespace binade::host {

/// Writes posted messages to a descriptor on a thread of its own: responses at once, all else at most 60 times a
/// second. post() never blocks on a slow peer. Backlog decides what is dropped then. Thread-safe.
class Outbox {
 public:
  /// Makes `descriptor` non-blocking; the caller keeps ownership. Calls `on_broken` at most once, on the sender's
  /// thread, when a write fails because the peer has closed or takes nothing at the end.
  Outbox(int descriptor, std::function<void()> on_broken);
  /// Sends what is queued, and gives up if the peer accepts nothing for two seconds.
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Queues an item. Does nothing after the peer has closed.
  void post(Outgoing item);

  /// Blocks while 256 or more responses are queued: a peer that sends requests without reading answers is served no
  /// further.
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
