// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace binade::train {

/// Whoever waits for something long before training: may end it, and hears how far it has come. For one thread; copies
/// share.
class Waiting {
 public:
  using Clock = std::chrono::steady_clock;
  using Tell = std::function<void(const std::string& progress)>;

  Waiting() = default;
  /// `tell` hears nothing in the first stretch of `between`, and then once in each at most.
  Waiting(std::stop_token stop, Tell tell = {}, Clock::duration between = std::chrono::seconds(2));

  const std::stop_token& stop() const { return stop_; }

  /// For loops, every few milliseconds. Throws Error{kCancelled} where the end was asked for. Tells `what` with the
  /// share that is done: `Reading table.csv: 35 %`.
  void at(const std::string& what, std::uint64_t done, std::uint64_t of) const;

 private:
  std::stop_token stop_;
  Tell tell_;
  Clock::duration between_{};
  std::shared_ptr<Clock::time_point> told_;
};

}  // namespace binade::train
