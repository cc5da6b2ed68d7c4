// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/series.h"

#include <cstdint>

namespace binade::app {

struct StepPoint;

/// The values of a run's steps that have a chart, which draws them from here.
struct StepSeries {
  views::Series loss;
  views::Series learning_rate;
  views::Series gradient_norm;
  views::Series seconds;
  views::Series scale_log2;  ///< without steps whose scale is not positive and finite

  /// Adds the next step of the run.
  void add(const StepPoint& point);
  /// Removes `step` and later ones.
  void dropFrom(std::int64_t step);
};

}  // namespace binade::app
