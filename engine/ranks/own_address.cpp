// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/own_address.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>

namespace binade::ranks {

std::string own_address_towards(const std::string& host, int port) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) return {};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(found, ::freeaddrinfo);
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    const int descriptor = ::socket(each->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) continue;
    // Connecting a datagram socket chooses the route, and thereby the own address.
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    std::array<char, NI_MAXHOST> text{};
    auto* const address = reinterpret_cast<sockaddr*>(&own);
    const bool known = ::connect(descriptor, each->ai_addr, each->ai_addrlen) == 0 &&
                       ::getsockname(descriptor, address, &size) == 0 &&
                       ::getnameinfo(address, size, text.data(), NI_MAXHOST, nullptr, 0, NI_NUMERICHOST) == 0;
    ::close(descriptor);
    if (known) return text.data();
  }
  return {};
}

}  // namespace binade::ranks
