// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/peer_watch.h"

#include "engine/host/process/exit_code.h"
#include "engine/host/process/log.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace binade::host {

PeerWatch::PeerWatch(int input, std::chrono::milliseconds grace)
    : thread_([this, input, grace] { watch(input, grace); }) {}

PeerWatch::~PeerWatch() {
  over_.wake();
  thread_.join();
}

void PeerWatch::watch(int input, std::chrono::milliseconds grace) {
  // POLLIN is not requested, so that unread requests do not wake this thread. poll() always reports POLLHUP when a
  // pipe's last writer closes; a socket reports POLLRDHUP.
  std::array<pollfd, 3> all{{{over_.descriptor(), POLLIN, 0}, {gone_.descriptor(), POLLIN, 0}, {input, POLLRDHUP, 0}}};
  while (::poll(all.data(), all.size(), -1) < 0) {
    if (errno != EINTR) return;
  }
  if (all[0].revents != 0) return;
  const auto end = std::chrono::steady_clock::now() + grace;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) break;
    pollfd over{over_.descriptor(), POLLIN, 0};
    if (::poll(&over, 1, static_cast<int>(left)) > 0) return;
  }
  log("warning", "The explorer has disconnected. The engine ends during a call of the model.");
  ::_exit(kCancelled);
}

}  // namespace binade::host
