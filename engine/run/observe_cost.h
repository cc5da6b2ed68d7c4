// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/observer.h"
#include "engine/wire/observe_cost.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace binade::run {

/// Measures what observing costs by comparing each observed step with adjacent unobserved ones. Sampling provides
/// those; otherwise the meter occasionally requests one. Not thread-safe.
class CostMeter {
 public:
  /// Most observed steps in a row before one is left unobserved; fewer until there is a first figure.
  static constexpr std::int64_t kFirstRows = 7;
  static constexpr std::int64_t kRows = 31;
  /// Fewest pairs of adjacent steps for a result.
  static constexpr std::size_t kFewestRatios = 6;

  /// Observing has changed, so earlier measurements are discarded. Without `leaves_bare` no unobserved step is
  /// requested.
  void begin(bool leaves_bare);

  /// Returns whether the next step, which would be observed, should be left unobserved.
  bool wants_bare() const;

  struct Step {
    std::int64_t step = 0;
    observe::Level level = observe::Level::kOff;
    double seconds = 0;
    bool timed = false;    ///< profiled, which costs time itself
    bool ordinary = true;  ///< false: skipped, replayed or similar, and not used for comparison
  };
  void stepped(const Step& step);

  /// Returns the cost so far; nullopt until there are enough pairs of every level in use.
  std::optional<wire::ObserveCost> cost() const;
  /// Returns whether a figure should be reported, for the first time or after a while.
  bool due();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kLevels = static_cast<std::size_t>(observe::Level::kWhatIf) + 1;

  void compare();
  void add(observe::Level level, double ratio);

  bool leaves_bare_ = true;
  bool started_ = false;  ///< the first step is slow in any case
  std::int64_t in_a_row_ = 0;
  std::int64_t left_bare_ = 0;
  std::int64_t first_step_ = 0;
  std::int64_t last_step_ = 0;
  std::array<std::int64_t, kLevels> steps_{};         ///< by level
  std::array<std::deque<double>, kLevels> ratios_{};  ///< observed time / unobserved time, newest last
  std::deque<Step> newest_;                           ///< at most three
  std::optional<Clock::time_point> told_;
};

}  // namespace binade::run
