// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/backlog.h"
#include "engine/host/serve/link_gauge.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

namespace binade::host {

/// Writes posted messages to a descriptor on a thread of its own: responses at once, all else at most 60 times a
/// second. post() never blocks on a slow peer. Backlog decides what is dropped then, and LinkGauge when a slow link
/// takes the next message; there, a response overtakes all that is none. Thread-safe.
class Outbox {
 public:
  static constexpr int kMostBatches = 60;  ///< of notifications, a second

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

  /// From now on, what is left out on a link with these limits is reported as wire::LinkDetail. The limits are checked:
  /// see check_link().
  void limit(const wire::LinkLimits& limits);
  /// The explorer has read this wire::LinkMark.
  void seen(std::int64_t mark);

 private:
  using Lock = std::unique_lock<std::mutex>;

  void work();
  bool send_batch(Lock& lock);
  void wait_for_link(Lock& lock);
  bool send_marks(Lock& lock);
  std::optional<wire::LinkDetail> detail_to_report();
  bool send_message(Lock& lock, const wire::Message& message);
  bool send(std::string_view bytes);

  const int descriptor_;
  const std::function<void()> on_broken_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Backlog backlog_;
  std::optional<LinkGauge> link_;
  LinkGauge::Clock::duration between_batches_;
  wire::LinkDetail reported_;  ///< the newest wire::LinkDetail
  LinkGauge::Time reported_at_{};
  std::atomic<bool> closing_ = false;
  bool broken_ = false;
  std::thread thread_;
};

}  // namespace binade::host
