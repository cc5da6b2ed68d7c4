// SPDX-License-Identifier: Apache-2.0
#include "engine/host/attach/attached_peer.h"

#include "engine/formats/error.h"
#include "engine/host/serve/hello.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>
#include <variant>

namespace binade::host {

AttachedPeer::AttachedPeer(std::int64_t id, Connection connection, const std::string& run_file, RunRequests::Post post,
                           Handlers handlers)
    : id_(id),
      descriptor_(connection.descriptor),
      process_(connection.process),
      handlers_(std::move(handlers)),
      outbox_(std::in_place, descriptor_, [this] { closing_.wake(); }),
      files_(run_file),
      run_requests_(std::move(post)) {
  thread_ = std::thread([this] { work(); });
}

AttachedPeer::~AttachedPeer() {
  flush();
  ::close(descriptor_);
}

void AttachedPeer::flush() {
  closing_.wake();
  if (thread_.joinable()) thread_.join();
  outbox_.reset();
}

// Not const, because it ends the connection, although the descriptor stays the same.
// NOLINTNEXTLINE(readability-make-member-function-const)
void AttachedPeer::cut() {
  ::shutdown(descriptor_, SHUT_RDWR);
}

void AttachedPeer::work() {
  while (receive()) {
  }
  handlers_.gone(*this);
  has_gone = true;
}

bool AttachedPeer::receive() {
  std::array<pollfd, 2> ready{{{descriptor_, POLLIN, 0}, {closing_.descriptor(), POLLIN, 0}}};
  if (::poll(ready.data(), ready.size(), -1) < 0) return errno == EINTR;
  if (ready[1].revents != 0) return false;
  if (ready[0].revents == 0) return true;
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  reader_.feed({buffer.data(), static_cast<std::size_t>(count)});
  handle_all();
  return !reader_.lost();
}

void AttachedPeer::handle_all() {
  for (;;) {
    try {
      const auto message = reader_.next();
      if (!message) return;
      if (const auto* request = std::get_if<wire::Request>(&*message)) handlers_.request(*this, *request);
      if (const auto* notification = std::get_if<wire::Notification>(&*message)) receive_mark(*notification, *outbox_);
    } catch (const Error& error) {
      outbox_->post(wire::LogLine{"warning", error.what()});
      if (reader_.lost()) return;
    }
    outbox_->wait_for_room();
  }
}

}  // namespace binade::host
