// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/low_scale.h"

#include <algorithm>

namespace binade::silent {

namespace {

/// The lowest scale if there are several scalers.
double scale_of(const wire::StepRecord& record) {
  double scale = record.scale;
  for (const wire::ScalerStep& each : record.scalers) scale = std::min(scale, each.scale);
  return scale;
}

}  // namespace

std::optional<Symptom> LowScale::step(const wire::StepRecord& record) {
  const double scale = scale_of(record);
  highest_ = std::max(highest_, scale);
  const bool falls = scale < last_;
  last_ = scale;
  if (scale >= 1 || !(scale > 0) || highest_ < 1) {
    below_ = 0;
    return std::nullopt;
  }
  if (falls) below_ = 0;
  if (record.stepped) ++below_;
  if (below_ < kSettled) return std::nullopt;
  Symptom symptom;
  symptom.kind = Symptom::Kind::kLowScale;
  symptom.direction = wire::Direction::kBackward;
  symptom.what = "scale";
  symptom.amount = 1;
  symptom.unit = wire::SilentFault::Unit::kSteps;
  symptom.facts.share = 1;
  symptom.facts.step = record.step;
  symptom.facts.scale = scale;
  return symptom;
}

}  // namespace binade::silent
