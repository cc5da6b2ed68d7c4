// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/low_scale.h"

#include "engine/silent/numbers.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace binade::silent {

namespace {

std::string scale_text(double scale) {
  const double power = std::log2(scale);
  return power == std::floor(power) ? "2^" + std::to_string(static_cast<int>(power)) : figure(scale);
}

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
  if (scale >= 1 || !(scale > 0) || highest_ < 1) {
    below_ = 0;
    return std::nullopt;
  }
  if (record.stepped) ++below_;
  if (below_ < kSettled) return std::nullopt;
  Sign sign;
  sign.kind = Sign::Kind::kLowScale;
  sign.direction = wire::Direction::kBackward;
  sign.what = "scale";
  sign.amount = 1;
  sign.unit = "of the steps";
  sign.sentence = "The loss scale has settled at " + scale_text(scale) +
                  ": below 1 it presses gradients down instead of lifting them, since one of them overflows at any "
                  "higher scale";
  sign.next =
      "Give the op call whose gradient overflows a wider format, as the newest gradient overflow proposes, or make "
      "what "
      "it is given smaller; then set the scale, which grows back only slowly by itself.";
  return sign;
}

}  // namespace binade::silent
