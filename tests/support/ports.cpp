// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ports.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>
#include <stdexcept>

namespace binade::test {

namespace {

bool bindTo(int descriptor, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  return ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

int portOf(int descriptor) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) throw std::runtime_error("no port");
  return ntohs(address.sin_port);
}

}  // namespace

TakenPort::TakenPort(Listens listens) : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
  const bool taken =
      descriptor_ >= 0 && bindTo(descriptor_, 0) && (listens == Listens::kNo || ::listen(descriptor_, 1) == 0);
  if (!taken) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw std::runtime_error("no free port");
  }
  number_ = portOf(descriptor_);
}

TakenPort::~TakenPort() {
  ::close(descriptor_);
}

int freePort() {
  std::random_device random;
  std::uniform_int_distribution<int> below_ephemeral(10'000, 32'000);  // the kernel's own begin at 32,768
  for (int tries = 0; tries < 100; ++tries) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) break;
    const int port = below_ephemeral(random);
    const bool free = bindTo(descriptor, port);
    ::close(descriptor);
    if (free) return port;
  }
  throw std::runtime_error("no free port");
}

}  // namespace binade::test
