// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/outbox.h"

#include "engine/host/process/log.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>

namespace binade::host {

namespace {

using Clock = LinkGauge::Clock;
constexpr auto kLastWords = std::chrono::seconds(2);
constexpr auto kBetweenDetails = std::chrono::seconds(1);
constexpr auto kBetweenCuts = std::chrono::milliseconds(20);  // of a queue that waits for its link
constexpr int kPollMilliseconds = 100;
constexpr std::size_t kMostResponses = 256;

}  // namespace

Outbox::Outbox(int descriptor, std::function<void()> on_broken)
    : descriptor_(descriptor),
      on_broken_(std::move(on_broken)),
      between_batches_(std::chrono::ceil<Clock::duration>(std::chrono::seconds(1)) / kMostBatches) {
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

void Outbox::limit(const wire::LinkLimits& limits) {
  const std::scoped_lock lock(mutex_);
  link_.emplace(limits, Clock::now());
  between_batches_ = std::chrono::ceil<Clock::duration>(std::chrono::seconds(1)) / limits.batches_per_second;
}

void Outbox::seen(std::int64_t mark) {
  {
    const std::scoped_lock lock(mutex_);
    if (link_) link_->seen(mark, Clock::now());
  }
  changed_.notify_all();
}

void Outbox::work() {
  // A peer that has closed is an error of write(), not a signal that ends a training.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  Clock::time_point next = Clock::now();
  Lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closing_ || !backlog_.empty(); });
    changed_.wait_until(lock, next, [this] { return closing_ || backlog_.responses() > 0; });
    if (backlog_.empty()) return;  // closing_ is set
    next = Clock::now() + between_batches_;
    if (send_batch(lock)) continue;
    broken_ = true;
    backlog_.take();
    lock.unlock();
    changed_.notify_all();
    on_broken_();
    return;
  }
}

/// Sends what is queued now. Returns false if the peer has closed.
bool Outbox::send_batch(Lock& lock) {
  std::size_t left = backlog_.size();
  while (left > 0) {
    wait_for_link(lock);
    const std::size_t before = backlog_.size();
    left = std::min(left, before);
    const auto message = backlog_.next(link_ ? kSmallBatches : BatchLimits());
    if (!message) break;
    left -= std::min(left, before - backlog_.size());
    if (!send_message(lock, *message)) return false;
    if (link_ && link_->mark_is_due() && !send_marks(lock)) return false;
  }
  return send_marks(lock);
}

void Outbox::wait_for_link(Lock& lock) {
  const auto wait_of_next = [this] {
    return backlog_.responses() > 0 ? link_->wait_of_answer(Clock::now()) : link_->wait(Clock::now());
  };
  while (link_ && !closing_) {
    const auto wait = wait_of_next();
    if (wait <= Clock::duration::zero()) return;
    backlog_.shorten();
    const auto next_cut = std::min<Clock::duration>(wait, kBetweenCuts);
    changed_.wait_for(lock, next_cut, [&] { return closing_ || wait_of_next() <= Clock::duration::zero(); });
  }
}

bool Outbox::send_marks(Lock& lock) {
  if (!link_) return true;
  if (const auto detail = detail_to_report()) {
    if (!send_message(lock, wire::notification_of(*detail))) return false;
  }
  const auto mark = link_->mark(Clock::now());
  return !mark || send_message(lock, wire::notification_of(*mark));
}

/// Counts that have grown are reported at most once a second.
std::optional<wire::LinkDetail> Outbox::detail_to_report() {
  const auto now = Clock::now();
  if (now - reported_at_ < kBetweenDetails) return std::nullopt;
  const LeftOut& left_out = backlog_.left_out();
  const wire::LinkDetail detail{.slow = link_->is_slow(now),
                                .delay_seconds = std::chrono::duration<double>(link_->delay()).count(),
                                .bytes_per_second = link_->bytes_per_second(),
                                .statistics = left_out.statistics,
                                .steps = left_out.steps,
                                .reports = left_out.reports};
  const bool news = detail.slow != reported_.slow || detail.statistics != reported_.statistics ||
                    detail.steps != reported_.steps || detail.reports != reported_.reports;
  if (!news) return std::nullopt;
  reported_ = detail;
  reported_at_ = now;
  return detail;
}

bool Outbox::send_message(Lock& lock, const wire::Message& message) {
  lock.unlock();
  changed_.notify_all();
  std::string bytes;
  bool sent = true;
  try {
    bytes = wire::frame(message);
    sent = send(bytes);
  } catch (const std::exception& error) {
    log("error", std::string("A message could not be sent: ") + error.what());
  }
  lock.lock();
  if (link_) link_->sent(bytes.size(), Clock::now());
  return sent;
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
