// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/long_list.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace binade::app {

struct StepPoint;

/// The steps in which something was bad: how many, the last of them, and how far they lay apart.
class BadSteps {
 public:
  /// In their order; a step counts once.
  void add(std::int64_t step) {
    if (count_ > 0 && step == last_) return;
    if (count_ > 0) gaps_[static_cast<std::size_t>(count_ - 1) % gaps_.size()] = step - last_;
    last_ = step;
    ++count_;
  }
  std::int64_t count() const { return count_; }
  std::int64_t last() const { return last_; }
  /// The longest of the last few gaps: what was rare of late needs longer to be over, whatever a run's first steps were
  /// like. 0 where there were not two.
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
  double loss = 0;     ///< as it was
  double spreads = 0;  ///< above the mean of the losses before it; 0 where it was not finite

  bool operator==(const BadLoss&) const = default;
};

/// What all steps of a run say together, kept up to date with each: a step costs the same however many came before.
class StepTrends {
 public:
  /// Losses that a spike is measured against.
  static constexpr std::size_t kUsual = 50;
  /// Steps between two states that are kept: a run that goes back looks at no more steps again.
  static constexpr std::size_t kKept = 4096;

  /// The next step of the run.
  void add(const StepPoint& point);
  /// `steps` has lost its end: those that are left are what was added.
  void truncate(const views::LongList<StepPoint>& steps);

  /// The index of the first step that was taken, or the number of steps: a run may begin with a scale that was never
  /// meant to fit.
  std::size_t firstTaken() const { return now_.first_taken.value_or(now_.size); }
  /// The back-offs of the loss scale.
  const BadSteps& scaleFalls() const { return now_.falls; }
  /// The newest bad loss; nothing where there was none.
  const std::optional<BadLoss>& badLoss() const { return now_.bad_loss; }
  /// Steps that were looked at so far, those of a rewind again.
  std::int64_t added() const { return added_; }

 private:
  struct State {
    std::size_t size = 0;
    std::optional<std::size_t> first_taken;
    BadSteps falls;
    std::optional<BadLoss> bad_loss;
    std::array<double, kUsual> losses{};  ///< the newest finite ones
    std::size_t finite = 0;               ///< losses so far
  };
  void addLoss(const StepPoint& point);

  State now_;
  std::int64_t added_ = 0;
  std::vector<State> kept_;  ///< before the steps 0, kKept, 2 * kKept, ...
};

}  // namespace binade::app
