// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/block_scale.h"

#include "engine/scaled/scale_rules.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace binade::scaled {

namespace {

std::uint32_t magnitude_of(float value) {
  return std::bit_cast<std::uint32_t>(value) & ElementRounding::kMagnitude;
}

}  // namespace

Scale tensor_scale(const ScaledFormat& format, float largest) {
  if (format.scale == ScaleFormat::kE4M3) {
    const float restore = largest / (layout(Element::kE4M3).largest * layout(format.element).largest);
    if (restore == 0) return {};
    return {std::min(1 / restore, std::numeric_limits<float>::max()), restore};
  }
  if (format.scaling != Scaling::kCurrent) return {};
  BlockScale scale;
  Float32Rule(format).apply(magnitude_of(largest), {}, scale);
  return scale;
}

BlockScale block_scale(const ScaledFormat& format, float largest, const Scale& tensor) {
  BlockScale scale;
  switch (format.scale) {
    case ScaleFormat::kE8M0:
      E8m0Rule(format).apply(magnitude_of(largest), tensor, scale);
      break;
    case ScaleFormat::kE4M3:
      E4m3Rule(format).apply(magnitude_of(largest), tensor, scale);
      break;
    case ScaleFormat::kFloat32:
    case ScaleFormat::kPowerOfTwo:
      Float32Rule(format).apply(magnitude_of(largest), tensor, scale);
      break;
  }
  return scale;
}

}  // namespace binade::scaled
