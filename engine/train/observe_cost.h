// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/observer.h"
#include "engine/wire/observe_cost.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace binade::train {

/// Measures what observing costs a training: sets each step that was looked at beside its neighbours that were not.
/// Sampling leaves such steps by itself; where it does not, the meter asks for a bare one now and then. One thread.
class CostMeter {
 public:
  /// How many steps in a row may be looked at before one is left bare: few until there is a first figure.
  static constexpr std::int64_t kFirstRows = 7;
  static constexpr std::int64_t kRows = 31;
  /// Pairs of neighbours below which nothing is said.
  static constexpr std::size_t kFewest = 6;

  /// Observing changes: what was measured counts no longer. Without `leaves_bare` no step is left bare.
  void begin(bool leaves_bare);

  /// Whether the next step, which would be looked at, is to be left bare.
  bool wants_bare() const;

  struct Step {
    std::int64_t step = 0;
    observe::Level level = observe::Level::kOff;
    double seconds = 0;
    bool timed = false;    ///< profiled, which costs time of its own
    bool ordinary = true;  ///< false: it was skipped, replayed or the like, and is compared with nothing
  };
  void stepped(const Step& step);

  /// What it costs so far; nothing before there are enough pairs of every level that is in use.
  std::optional<wire::ObserveCost> cost() const;
  /// Whether there is a figure to tell, for the first time or after a while.
  bool due();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kLevels = static_cast<std::size_t>(observe::Level::kWhatIf) + 1;

  void compare();
  void add(observe::Level level, double ratio);

  bool leaves_bare_ = true;
  bool started_ = false;  ///< the first step is slow whatever is looked at
  std::int64_t in_a_row_ = 0;
  std::int64_t left_bare_ = 0;
  std::int64_t first_step_ = 0;
  std::int64_t last_step_ = 0;
  std::array<std::int64_t, kLevels> steps_{};         ///< by level
  std::array<std::deque<double>, kLevels> ratios_{};  ///< looked at ÷ bare, newest last
  std::deque<Step> newest_;                           ///< at most three
  std::optional<Clock::time_point> told_;
};

/// `observing changed the time of training by +0.8 % (95 %: +0.5 to +1.1 %), ...`: a figure may lie below 0 by noise.
/// Where there is none, or it says nothing: that the run was too short to tell. A step that takes much longer when it
/// is looked at is named.
std::string text_of(const std::optional<wire::ObserveCost>& cost);

}  // namespace binade::train
