// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace binade::test {

/// One direction of a slow link: bytes leave at a rate and arrive after a delay. It holds as many bytes as a TCP
/// connection and its router would, and then takes no more. Copies until `from` ends, and closes both.
class SlowWire {
 public:
  using Clock = std::chrono::steady_clock;
  struct Shape {
    double bytes_per_second = 1.25e6;  ///< 10 Mbit/s
    std::chrono::milliseconds delay{100};
    std::size_t holds = std::size_t{2} << 20;  ///< bytes on the way, an ssh channel's window
  };

  SlowWire(int from, int to, Shape shape);
  ~SlowWire();
  SlowWire(const SlowWire&) = delete;
  SlowWire& operator=(const SlowWire&) = delete;

 private:
  struct Part {
    Clock::time_point due;
    std::string bytes;
  };
  void take();
  void give();

  const int from_, to_;
  const Shape shape_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Part> parts_;
  std::size_t held_ = 0;
  bool ended_ = false;
  std::thread taker_, giver_;
};

/// The explorer's end of a slow link: notes when everything arrives, and sends each link.mark back at once.
class NotedPeer {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes the descriptors over.
  NotedPeer(int input, int output);
  ~NotedPeer();
  NotedPeer(const NotedPeer&) = delete;
  NotedPeer& operator=(const NotedPeer&) = delete;

  std::int64_t ask(const std::string& method, nlohmann::json params = nlohmann::json::object());
  /// Waits for the answer, at most a minute; how long it took from the call of ask().
  std::optional<std::chrono::duration<double>> waitForAnswer(std::int64_t id);
  /// The same without waiting; nullopt: there is no answer yet.
  std::optional<std::chrono::duration<double>> timeOfAnswer(std::int64_t id);
  std::optional<wire::Response> response(std::int64_t id);
  /// When each step arrived first.
  std::map<std::int64_t, Clock::time_point> arrivals();
  std::vector<wire::StepRecord> steps();
  std::vector<wire::LinkDetail> details();
  std::size_t bytes();  ///< that arrived
  bool waitForMethod(const std::string& method);

 private:
  void work();
  void take(const wire::Message& message);
  void send(const wire::Message& message);

  const int input_, output_;
  std::mutex mutex_, sending_;
  std::condition_variable changed_;
  std::int64_t last_id_ = 0;
  bool ended_ = false;
  std::map<std::int64_t, Clock::time_point> asked_;
  std::map<std::int64_t, std::pair<Clock::time_point, wire::Response>> answered_;
  std::map<std::int64_t, Clock::time_point> arrivals_;
  std::vector<wire::StepRecord> steps_;
  std::vector<wire::LinkDetail> details_;
  std::map<std::string, int> methods_;
  std::size_t bytes_ = 0;
  std::thread thread_;
};

}  // namespace binade::test
