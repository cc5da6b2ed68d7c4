// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"
#include "engine/lessons/trainings.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::app {

/// The losses of one training of an experiment.
struct TrainingLosses {
  /// Number of last steps whose mean loss is reported.
  static constexpr std::size_t kLast = 10;

  lessons::Training training;
  std::vector<lessons::Point> losses{};  ///< loss over step
  std::int64_t skipped = 0;              ///< steps
  bool ended = false;

  /// Mean of the last kLast losses, or of all if there are fewer; NaN without any.
  double lastLoss() const;
};

/// The figure of an experiment that compares: for each training after the first its losses beside the first
/// one's, and a table of all.
lessons::FigureData lossFigure(const std::vector<TrainingLosses>& trainings, std::int64_t steps);

}  // namespace binade::app
