// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/accepts.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace binade::ranks {

bool accepts(const std::string& host, int port) {
  constexpr int kPatience = 1000;  // milliseconds
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) return false;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(found, ::freeaddrinfo);
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    const int descriptor = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) continue;
    bool connected = ::connect(descriptor, each->ai_addr, each->ai_addrlen) == 0;
    pollfd writable{descriptor, POLLOUT, 0};
    if (!connected && errno == EINPROGRESS && ::poll(&writable, 1, kPatience) == 1) {
      int failure = 0;
      socklen_t size = sizeof failure;
      connected = ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && failure == 0;
    }
    ::close(descriptor);
    if (connected) return true;
  }
  return false;
}

}  // namespace binade::ranks
