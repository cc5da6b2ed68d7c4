// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace binade::files {

/// Throws Error{kCancelled} once `stop` was requested. Long work before training calls it between its parts.
void check_stop(const std::stop_token& stop);

/// Cancellation and progress of long work before training. Used by one thread; copies share their state.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  using Receiver = std::function<void(const std::string& progress)>;

  Progress() = default;
  /// `receiver` receives progress at most once per `between`, and not within the first such interval.
  Progress(std::stop_token stop, Receiver receiver = {}, Clock::duration between = std::chrono::seconds(2));

  const std::stop_token& stop() const { return stop_; }

  /// Call it in loops, every few milliseconds. Throws Error{kCancelled} if a stop was requested. Reports `what` with
  /// the percentage done: `Reading table.csv: 35 %`.
  void report(const std::string& what, std::uint64_t done, std::uint64_t of) const;

 private:
  std::stop_token stop_;
  Receiver receiver_;
  Clock::duration between_{};
  std::shared_ptr<Clock::time_point> last_report_;
};

}  // namespace binade::files
