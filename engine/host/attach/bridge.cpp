// SPDX-License-Identifier: Apache-2.0
#include "engine/host/attach/bridge.h"

#include "engine/host/serve/unsent.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace binade::host {

namespace {

/// Beyond this, the slower side waits, and its sender with it.
constexpr std::size_t kMostWaiting = std::size_t{64} << 10;

/// Returns false at the end of `from`.
bool read_some(int from, Unsent& to) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(from, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  to.append({buffer.data(), static_cast<std::size_t>(count)});
  return true;
}

}  // namespace

void bridge(int socket, int input, int output) {
  for (const int each : {socket, input, output}) ::fcntl(each, F_SETFL, ::fcntl(each, F_GETFL) | O_NONBLOCK);
  Unsent requests, answers;
  bool asks = true, listens = true;
  while (listens || !answers.empty()) {
    const auto events = [](bool reads, bool writes) {
      return static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
    };
    const bool reads_socket = listens && answers.size() < kMostWaiting;
    const bool reads_input = asks && requests.size() < kMostWaiting;
    const bool uses_socket = listens && (reads_socket || !requests.empty());
    std::array<pollfd, 3> ready{{{uses_socket ? socket : -1, events(reads_socket, !requests.empty()), 0},
                                 {reads_input ? input : -1, POLLIN, 0},
                                 {output, events(false, !answers.empty()), 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
    if (ready[1].revents != 0) asks = read_some(input, requests);
    if (!requests.empty() && !requests.write_to(socket)) requests.clear();  // receiving reports the end
    if (!asks && requests.empty()) ::shutdown(socket, SHUT_WR);
    if (reads_socket && ready[0].revents != 0) listens = read_some(socket, answers);
    if (!answers.write_to(output)) return;
    if ((ready[2].revents & POLLERR) != 0) return;  // nobody reads
  }
}

}  // namespace binade::host
