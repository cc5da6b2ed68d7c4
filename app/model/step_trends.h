// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/long_list.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace binade::app {

struct StepPoint;

/// Steps with a problem: their number, the last one, and the gaps between them.
class BadSteps {
 public:
  /// Adds a step, in order; a step counts once.
  void add(std::int64_t step) {
    if (count_ > 0 && step == last_) return;
    if (count_ > 0) gaps_[static_cast<std::size_t>(count_ - 1) % gaps_.size()] = step - last_;
    last_ = step;
    ++count_;
  }
  std::int64_t count() const { return count_; }
  std::int64_t last() const { return last_; }
  /// The longest of the last few gaps, so that a problem that has become rare takes longer to count as over. 0 with
  /// fewer than two steps.
  std::int64_t gap() const { return *std::max_element(gaps_.begin(), gaps_.end()); }

  bool operator==(const BadSteps&) const = default;

 private:
  std::array<std::int64_t, 4> gaps_{};
  std::int64_t count_ = 0;
  std::int64_t last_ = 0;
};

/// A loss that was not finite, or far above those before it.
struct BadLoss {
  std::int64_t step = 0;
  double loss = 0;
  double spreads = 0;  ///< standard deviations above the mean of the losses before it; 0 if it was not finite

  bool operator==(const BadLoss&) const = default;
};

/// A summary of all steps of a run, updated with each step at constant cost.
class StepTrends {
 public:
  /// Losses that a spike is compared with.
  static constexpr std::size_t kUsual = 50;
  /// Steps between two saved states; a rewind processes at most that many steps again.
  static constexpr std::size_t kKept = 4096;

  /// Adds the next step of the run.
  void add(const StepPoint& point);
  /// The end of `steps` was removed; reverts to the remaining ones.
  void truncate(const views::LongList<StepPoint>& steps);
  /// As of the first `count` of the run's `steps`.
  void truncate(const views::LongList<StepPoint>& steps, std::size_t count);

  /// Index of the first step that was not skipped, or the number of steps. Before it, skips are expected, since the
  /// initial scale may be too high.
  std::size_t firstTaken() const { return now_.first_taken.value_or(now_.size); }
  /// The back-offs of the loss scale.
  const BadSteps& scaleFalls() const { return now_.falls; }
  /// The newest bad loss; nullopt: none.
  const std::optional<BadLoss>& badLoss() const { return now_.bad_loss; }
  /// Number of steps processed, including those repeated after a rewind.
  std::int64_t added() const { return added_; }

 private:
  struct State {
    std::size_t size = 0;
    std::optional<std::size_t> first_taken;
    BadSteps falls;
    std::optional<BadLoss> bad_loss;
    std::array<double, kUsual> losses{};  ///< the newest finite ones
    std::size_t finite = 0;               ///< number of finite losses so far
  };
  void addLoss(const StepPoint& point);

  State now_;
  std::int64_t added_ = 0;
  std::vector<State> kept_;  ///< before the steps 0, kKept, 2 * kKept, ...
};

}  // namespace binade::app
