// SPDX-License-Identifier: Apache-2.0
#include "tests/host/serve/peer.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace binade::test {

namespace {
constexpr int kPatienceMilliseconds = 60'000;
}  // namespace

void Peer::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(output_, bytes.data(), bytes.size());
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::int64_t Peer::ask(const std::string& method, nlohmann::json params) {
  send(wire::frame(wire::Request{++last_id_, method, std::move(params)}));
  return last_id_;
}

std::optional<wire::Response> Peer::answer(const std::string& method, nlohmann::json params) {
  return waitForAnswer(ask(method, std::move(params)));
}

std::optional<wire::Response> Peer::waitForAnswer(std::int64_t id) {
  for (std::size_t i = 0;; ++i) {
    while (i == received_.size()) {
      if (!receive()) return std::nullopt;
    }
    const auto* response = std::get_if<wire::Response>(&received_[i]);
    if (response != nullptr && response->id == id) return *response;
  }
}

bool Peer::sayHello() {
  const auto response = answer("engine.hello", wire::encode(wire::Hello{}));
  return response && std::holds_alternative<nlohmann::json>(response->outcome);
}

bool Peer::waitFor(const std::string& method, std::size_t count) {
  std::size_t met = 0;
  for (std::size_t i = 0; met < count; ++i) {
    while (i == received_.size()) {
      if (!receive()) return false;
    }
    const auto* notification = std::get_if<wire::Notification>(&received_[i]);
    met += notification != nullptr && notification->method == method;
  }
  return true;
}

bool Peer::waitForState(wire::RunState state) {
  for (std::size_t count = 1;; ++count) {
    if (!waitFor("run.state", count)) return false;
    if (all<wire::StateChanged>("run.state")[count - 1].state == state) return true;
  }
}

bool Peer::waitForEnd() {
  while (receive()) {
  }
  return ended_;
}

void Peer::endInput() {
  if (input_ == output_) {
    ::shutdown(output_, SHUT_WR);
  } else if (output_ >= 0) {
    ::close(output_);
    output_ = -1;
  }
}

void Peer::hangUp() {
  if (output_ >= 0) ::close(output_);
  if (input_ >= 0 && input_ != output_) ::close(input_);
  input_ = output_ = -1;
}

std::vector<wire::StepRecord> Peer::steps() const {
  std::vector<wire::StepRecord> steps;
  for (auto& batch : all<wire::StepBatch>("run.steps")) {
    std::move(batch.steps.begin(), batch.steps.end(), std::back_inserter(steps));
  }
  return steps;
}

bool Peer::receive() {
  pollfd ready{input_, POLLIN, 0};
  if (::poll(&ready, 1, kPatienceMilliseconds) <= 0) return false;
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(input_, buffer.data(), buffer.size());
  ended_ = count <= 0;
  if (ended_) return false;
  reader_.feed({buffer.data(), static_cast<std::size_t>(count)});
  while (auto message = reader_.next()) received_.push_back(std::move(*message));
  return true;
}

std::optional<wire::Failure> failureIn(const std::optional<wire::Response>& response) {
  if (!response || !std::holds_alternative<wire::Failure>(response->outcome)) return std::nullopt;
  return std::get<wire::Failure>(response->outcome);
}

}  // namespace binade::test
