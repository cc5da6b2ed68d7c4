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

std::optional<Sign> LowScale::step(const wire::StepRecord& record) {
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
  Sign sign;
  sign.kind = Sign::Kind::kLowScale;
  sign.direction = wire::Direction::kBackward;
  sign.what = "scale";
  sign.amount = 1;
  sign.unit = wire::SilentFault::Unit::kSteps;
  sign.facts.share = 1;
  sign.facts.step = record.step;
  sign.facts.scale = scale;
  return sign;
}

}  // namespace binade::silent
