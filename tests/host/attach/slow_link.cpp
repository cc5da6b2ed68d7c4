// SPDX-License-Identifier: Apache-2.0
#include "tests/host/attach/slow_link.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace binade::test {

using std::chrono::duration;
using std::chrono::duration_cast;

SlowWire::SlowWire(int from, int to, Shape shape) : from_(from), to_(to), shape_(shape) {
  std::signal(SIGPIPE, SIG_IGN);
  taker_ = std::thread([this] { take(); });
  giver_ = std::thread([this] { give(); });
}

SlowWire::~SlowWire() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  taker_.join();
  giver_.join();
  ::close(from_);
}

void SlowWire::take() {
  constexpr std::size_t kPart = 4096;
  Clock::time_point free = Clock::now();  // when the line has sent what it took
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ended_ || held_ < shape_.holds; });
      if (ended_) return;
    }
    pollfd ready{from_, POLLIN, 0};
    if (::poll(&ready, 1, 100) == 0) {
      const std::scoped_lock lock(mutex_);
      if (ended_) return;
      continue;
    }
    std::string bytes(kPart, '\0');
    const ssize_t count = ::read(from_, bytes.data(), bytes.size());
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    free =
        std::max(free, Clock::now()) +
        duration_cast<Clock::duration>(duration<double>(static_cast<double>(bytes.size()) / shape_.bytes_per_second));
    const std::scoped_lock lock(mutex_);
    held_ += bytes.size();
    ended_ = ended_ || bytes.empty();
    parts_.push_back({free + shape_.delay, std::move(bytes)});
    changed_.notify_all();
    if (ended_) return;
  }
}

void SlowWire::give() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_ || !parts_.empty(); });
    if (parts_.empty()) break;
    const Part part = std::move(parts_.front());
    parts_.pop_front();
    if (changed_.wait_until(lock, part.due, [this] { return ended_ && parts_.empty(); })) break;
    held_ -= part.bytes.size();
    lock.unlock();
    changed_.notify_all();
    std::string_view rest = part.bytes;
    while (!rest.empty()) {
      const ssize_t count = ::write(to_, rest.data(), rest.size());
      if (count <= 0) break;
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  ::close(to_);
}

NotedPeer::NotedPeer(int input, int output) : input_(input), output_(output) {
  thread_ = std::thread([this] { work(); });
}

NotedPeer::~NotedPeer() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  ::close(output_);
  thread_.join();
  ::close(input_);
}

void NotedPeer::send(const wire::Message& message) {
  const std::string bytes = wire::frame(message);
  const std::scoped_lock lock(sending_);
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t count = ::write(output_, rest.data(), rest.size());
    if (count <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::int64_t NotedPeer::ask(const std::string& method, nlohmann::json params) {
  std::int64_t id = 0;
  {
    const std::scoped_lock lock(mutex_);
    id = ++last_id_;
    asked_[id] = Clock::now();
  }
  send(wire::Request{id, method, std::move(params)});
  return id;
}

std::optional<duration<double>> NotedPeer::waitForAnswer(std::int64_t id) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, std::chrono::minutes(1), [&] { return ended_ || answered_.contains(id); }) ||
      !answered_.contains(id)) {
    return std::nullopt;
  }
  return answered_.at(id).first - asked_.at(id);
}

std::optional<duration<double>> NotedPeer::timeOfAnswer(std::int64_t id) {
  const std::scoped_lock lock(mutex_);
  if (!answered_.contains(id)) return std::nullopt;
  return answered_.at(id).first - asked_.at(id);
}

std::optional<wire::Response> NotedPeer::response(std::int64_t id) {
  if (!waitForAnswer(id)) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  return answered_.at(id).second;
}

bool NotedPeer::waitForMethod(const std::string& method) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::minutes(1), [&] { return ended_ || methods_.contains(method); }) &&
         methods_.contains(method);
}

std::map<std::int64_t, NotedPeer::Clock::time_point> NotedPeer::arrivals() {
  const std::scoped_lock lock(mutex_);
  return arrivals_;
}

std::vector<wire::StepRecord> NotedPeer::steps() {
  const std::scoped_lock lock(mutex_);
  return steps_;
}

std::vector<wire::LinkDetail> NotedPeer::details() {
  const std::scoped_lock lock(mutex_);
  return details_;
}

std::size_t NotedPeer::bytes() {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

void NotedPeer::work() {
  wire::FrameReader reader;
  std::array<char, 65536> buffer;
  for (;;) {
    pollfd ready{input_, POLLIN, 0};
    const int polled = ::poll(&ready, 1, 100);
    {
      const std::scoped_lock lock(mutex_);
      if (ended_) return;
    }
    if (polled == 0) continue;
    const ssize_t count = ::read(input_, buffer.data(), buffer.size());
    if (count <= 0) {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
      changed_.notify_all();
      return;
    }
    {
      const std::scoped_lock lock(mutex_);
      bytes_ += static_cast<std::size_t>(count);
    }
    reader.feed({buffer.data(), static_cast<std::size_t>(count)});
    while (const auto message = reader.next()) take(*message);
  }
}

void NotedPeer::take(const wire::Message& message) {
  const auto now = Clock::now();
  const auto* notification = std::get_if<wire::Notification>(&message);
  if (notification != nullptr && notification->method == "link.mark") {
    send(wire::Notification{wire::kLinkSeen, notification->params});
  }
  const std::scoped_lock lock(mutex_);
  if (const auto* response = std::get_if<wire::Response>(&message)) answered_[response->id] = {now, *response};
  if (notification != nullptr) {
    ++methods_[notification->method];
    if (notification->method == "run.steps") {
      for (auto& step : wire::decode<wire::StepBatch>(notification->params).steps) {
        arrivals_.emplace(step.step, now);
        steps_.push_back(std::move(step));
      }
    }
    if (notification->method == "link.detail") {
      details_.push_back(wire::decode<wire::LinkDetail>(notification->params));
    }
  }
  changed_.notify_all();
}

}  // namespace binade::test
