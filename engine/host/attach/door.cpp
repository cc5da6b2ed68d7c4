// SPDX-License-Identifier: Apache-2.0
#include "engine/host/attach/door.h"

#include "engine/host/process/log.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace binade::host {

namespace {

constexpr int kWaiting = 16;  // connections that nobody has accepted yet

/// Space for one descriptor beside a message.
union Passed {
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
  cmsghdr align;
};

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  return address;
}

void hand_over(int to, int descriptor, std::int64_t process) {
  iovec part{&process, sizeof(process)};
  Passed passed{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = passed.bytes.data();
  message.msg_controllen = passed.bytes.size();
  cmsghdr* const head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &descriptor, sizeof(descriptor));
  // Without waiting: a training that takes no connections must not fill this process with threads.
  static_cast<void>(::sendmsg(to, &message, MSG_NOSIGNAL | MSG_DONTWAIT));
}

void refuse(int descriptor, const std::string& why) {
  const std::string line = wire::frame(wire::notification_of(wire::LogLine{"error", why}));
  static_cast<void>(::send(descriptor, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

}  // namespace

std::optional<PeerIdentity> identity_of_peer(int socket) {
  ucred found{};
  socklen_t size = sizeof(found);
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &found, &size) != 0) return std::nullopt;
  return PeerIdentity{found.uid, found.pid};
}

Door::Door(std::string run) : sign_(sign_of_this_process(std::move(run))), folder_(AttachFolder::make()) {
  for (const std::string& name : folder_.names(kSignEnding)) read_sign(folder_, name);  // removes those of the dead
  lock_ = put_up(sign_, folder_);
  try {
    listen_at(name_of(sign_) + kSocketEnding);
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends_) != 0) folder_.fail("no pair of sockets");
  } catch (...) {
    folder_.remove(name_of(sign_) + kSocketEnding);
    folder_.remove(name_of(sign_) + kSignEnding);
    if (socket_ >= 0) ::close(socket_);
    ::close(lock_);
    throw;
  }
}

void Door::listen_at(const std::string& name) {
  socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) folder_.fail("a socket cannot be made");
  folder_.remove(name);
  const sockaddr_un address = address_of(folder_.address(name));
  // The mode is set before listen(), and a socket accepts no connection until then.
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::fchmodat(folder_.descriptor(), name.c_str(), 0600, 0) != 0 || ::listen(socket_, kWaiting) != 0) {
    folder_.fail("a socket cannot be made");
  }
}

Door::~Door() {
  if (thread_.joinable()) {
    closing_.wake();
    thread_.join();
  }
  if (is_of_this_process()) {
    folder_.remove(name_of(sign_) + kSocketEnding);
    folder_.remove(name_of(sign_) + kSignEnding);
  }
  for (const int each : {socket_, lock_, ends_[0], ends_[1]}) {
    if (each >= 0) ::close(each);
  }
}

bool Door::is_of_this_process() const {
  return sign_.process == static_cast<std::int64_t>(::getpid());
}

void Door::open() {
  thread_ = std::thread([this] { accept_all(); });
}

void Door::accept_all() {
  for (;;) {
    std::array<pollfd, 2> ready{{{socket_, POLLIN, 0}, {closing_.descriptor(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
    if (ready[1].revents != 0) return;
    if (ready[0].revents != 0) accept_one();
  }
}

void Door::accept_one() {
  const int descriptor = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor < 0) {
    // Without room for descriptors, poll() would report the same connection at once, for ever.
    if (errno == EMFILE || errno == ENFILE) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return;
  }
  const auto peer = identity_of_peer(descriptor);
  if (peer && peer->user == ::geteuid()) {
    hand_over(ends_[0], descriptor, peer->process);
  } else {
    const std::string who = peer ? "User " + std::to_string(peer->user) : std::string("An unknown user");
    log("warning", who + " tried to attach to this training, and was refused.");
    refuse(descriptor, "This training belongs to another user.");
  }
  ::close(descriptor);  // the training has its own by now
}

std::optional<Connection> Door::take() const {
  Connection connection;
  iovec part{&connection.process, sizeof(connection.process)};
  Passed passed{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = passed.bytes.data();
  message.msg_controllen = passed.bytes.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(ends_[1], &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof(connection.process))) return std::nullopt;
  const cmsghdr* const head = CMSG_FIRSTHDR(&message);
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return std::nullopt;
  std::memcpy(&connection.descriptor, CMSG_DATA(head), sizeof(connection.descriptor));
  return connection;
}

int connect_to(const AttachFolder& folder, const SocketSign& sign) {
  // A stopped training with many waiting connections would block connect() for ever.
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return -1;
  const sockaddr_un address = address_of(folder.address(name_of(sign) + kSocketEnding));
  const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  int failed = errno;
  if (connected) {
    const auto peer = identity_of_peer(socket);
    if (peer && peer->user == ::geteuid()) {
      ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) & ~O_NONBLOCK);
      return socket;
    }
    failed = EACCES;
  }
  ::close(socket);
  errno = failed;
  return -1;
}

}  // namespace binade::host
