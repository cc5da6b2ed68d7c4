// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::test {

/// The explorer's end of the wire: asks, and keeps everything that comes in its order.
class Peer {
 public:
  /// Takes the descriptors over; they may be the same.
  Peer(int input, int output) : input_(input), output_(output) {}
  ~Peer() { hangUp(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void send(std::string_view bytes);
  /// Sends a request and returns its id.
  std::int64_t ask(const std::string& method, nlohmann::json params = nlohmann::json::object());
  /// Asks and waits for the answer; nothing where none came.
  std::optional<wire::Response> answer(const std::string& method, nlohmann::json params = nlohmann::json::object());
  std::optional<wire::Response> waitForAnswer(std::int64_t id);
  bool sayHello();

  /// Takes what comes until a notification of `method` was received `count` times in all.
  bool waitFor(const std::string& method, std::size_t count = 1);
  /// Takes what comes until run.state says `state`.
  bool waitForState(wire::RunState state);
  /// Takes what comes until the engine closes; false where it never does.
  bool waitForEnd();

  /// No more will be asked; what the engine still says can be read (a socket only).
  void endInput();
  void hangUp();

  const std::vector<wire::Message>& received() const { return received_; }
  /// Drops what was received so far.
  void forget() { received_.clear(); }

  template <wire::Payload T>
  std::vector<T> all(const std::string& method) const {
    std::vector<T> values;
    for (const wire::Message& message : received_) {
      const auto* notification = std::get_if<wire::Notification>(&message);
      if (notification != nullptr && notification->method == method) {
        values.push_back(wire::decode<T>(notification->params));
      }
    }
    return values;
  }

  std::vector<wire::StepRecord> steps() const;

 private:
  /// Takes one chunk; false at the end or where nothing comes for a long time.
  bool receive();

  int input_, output_;
  std::int64_t last_id_ = 0;
  bool ended_ = false;
  wire::FrameReader reader_;
  std::vector<wire::Message> received_;
};

/// What went wrong, or nothing for a success or no answer at all.
std::optional<wire::Failure> failureIn(const std::optional<wire::Response>& response);

}  // namespace binade::test
