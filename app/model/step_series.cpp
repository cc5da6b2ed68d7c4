// SPDX-License-Identifier: Apache-2.0
#include "app/model/step_series.h"

#include "app/model/run_data.h"

#include <cmath>

namespace binade::app {

void StepSeries::add(const StepPoint& point) {
  loss.append(point.step, point.loss);
  learning_rate.append(point.step, point.learning_rate);
  gradient_norm.append(point.step, point.gradient_norm);
  seconds.append(point.step, point.seconds);
  if (point.scale > 0 && std::isfinite(point.scale)) scale_log2.append(point.step, std::log2(point.scale));
}

void StepSeries::dropFrom(std::int64_t step) {
  for (views::Series* each : {&loss, &learning_rate, &gradient_norm, &seconds, &scale_log2}) {
    each->truncate(each->lowerBound(step));
  }
}

}  // namespace binade::app
