// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/outbox.h"

#include "engine/host/process/log.h"
#include "engine/wire/frame.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

namespace binade::host {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenBatches = std::chrono::microseconds(16'667);
constexpr auto kLastWords = std::chrono::seconds(2);
constexpr int kPollMilliseconds = 100;
constexpr std::size_t kMostResponses = 256;

}  // namespace

Outbox::Outbox(int descriptor, std::function<void()> on_broken)
    : descriptor_(descriptor), on_broken_(std::move(on_broken)) {
  // A blocking write could not be abandoned at the end.
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  thread_ = std::thread([this] { work(); });
}

Outbox::~Outbox() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Outbox::post(Outgoing item) {
  {
    const std::scoped_lock lock(mutex_);
    if (broken_) return;
    backlog_.add(std::move(item));
  }
  changed_.notify_all();
}

void Outbox::wait_for_room() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return broken_ || backlog_.responses() < kMostResponses; });
}

void Outbox::work() {
  Clock::time_point next = Clock::now();
  for (;;) {
    std::deque<Outgoing> items;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closing_ || !backlog_.empty(); });
      changed_.wait_until(lock, next, [this] { return closing_ || backlog_.responses() > 0; });
      items = backlog_.take();
    }
    changed_.notify_all();
    if (items.empty()) return;  // closing_ is set and the backlog is empty
    next = Clock::now() + kBetweenBatches;
    while (const auto message = next_message(items)) {
      bool sent = false;
      try {
        sent = send(wire::frame(*message));
      } catch (const std::exception& error) {
        log("error", std::string("A message could not be sent: ") + error.what());
        continue;
      }
      if (sent) continue;
      {
        const std::scoped_lock lock(mutex_);
        broken_ = true;
        backlog_.take();
      }
      changed_.notify_all();
      on_broken_();
      return;
    }
  }
}

bool Outbox::send(std::string_view bytes) {
  auto progress = Clock::now();
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      progress = Clock::now();
    } else if (written < 0 && errno == EINTR) {
      continue;
    } else if (written < 0 && errno == EAGAIN) {
      if (closing_ && Clock::now() - progress > kLastWords) return false;
      pollfd ready{descriptor_, POLLOUT, 0};
      ::poll(&ready, 1, kPollMilliseconds);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace binade::host
