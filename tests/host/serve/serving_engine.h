// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/host/serve/serve.h"
#include "tests/host/serve/peer.h"

#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>

namespace binade::test {

/// An engine in this process at the other end of a socket.
class ServingEngine {
 public:
  ServingEngine() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) qFatal("no socket");
    peer = std::make_unique<Peer>(ends[0], ends[0]);
    thread_ = std::thread([this, end = ends[1]] {
      try {
        code_ = host::serve(end, end);
      } catch (const Error& error) {
        failure_ = error.what();
      }
      ::close(end);
    });
  }

  ~ServingEngine() { end(); }

  /// The code that serve returned, or -1 where it threw.
  int end() {
    peer->endInput();
    if (thread_.joinable()) thread_.join();
    return code_;
  }

  int join() {
    if (thread_.joinable()) thread_.join();
    return code_;
  }

  const std::string& failure() const { return failure_; }

  std::unique_ptr<Peer> peer;

 private:
  int code_ = -1;
  std::string failure_;
  std::thread thread_;
};

}  // namespace binade::test
