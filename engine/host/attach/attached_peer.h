// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/attach/door.h"
#include "engine/host/serve/far_files.h"
#include "engine/host/serve/outbox.h"
#include "engine/host/serve/run_requests.h"
#include "engine/host/serve/wake_pipe.h"
#include "engine/wire/envelope.h"
#include "engine/wire/frame.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace binade::host {

/// One explorer at a training's socket: reads its requests on a thread of its own, and sends through an Outbox, so that
/// the training never waits for it.
class AttachedPeer {
 public:
  struct Handlers {
    /// Receives each request, on the peer's thread. Must not throw.
    std::function<void(AttachedPeer&, const wire::Request&)> request;
    /// The explorer has gone: called once, on the peer's thread, which ends after it.
    std::function<void(AttachedPeer&)> gone;
  };

  /// Owns the connection. `run_file`: the only one that the explorer may read; `post`: see RunRequests.
  AttachedPeer(std::int64_t id, Connection connection, const std::string& run_file, RunRequests::Post post,
               Handlers handlers);
  /// As flush().
  ~AttachedPeer();
  AttachedPeer(const AttachedPeer&) = delete;
  AttachedPeer& operator=(const AttachedPeer&) = delete;

  std::int64_t id() const { return id_; }
  Outbox& outbox() { return *outbox_; }
  FarFiles& files() { return files_; }
  RunRequests& run_requests() { return run_requests_; }
  /// The process of the other end, mostly `binade-engine attach`.
  std::int64_t process() const { return process_; }

  /// Reads nothing more, and sends what is queued. Gives up if the explorer accepts nothing for two seconds.
  void flush();
  /// Closes the connection although something is queued. Thread-safe.
  void cut();

  /// Whether Handlers::gone was called and has returned.
  std::atomic<bool> has_gone = false;

 private:
  void work();
  bool receive();
  void handle_all();

  const std::int64_t id_;
  const int descriptor_;
  const std::int64_t process_;
  const Handlers handlers_;
  WakePipe closing_;
  std::optional<Outbox> outbox_;  ///< until flush()
  FarFiles files_;
  RunRequests run_requests_;
  wire::FrameReader reader_;
  std::thread thread_;
};

}  // namespace binade::host
