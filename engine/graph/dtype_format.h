// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <c10/core/ScalarType.h>

#include <optional>

namespace binade::graph {

/// Format of tensors in float16 or bfloat16; empty for every other dtype, float8 included.
inline std::optional<formats::Format> low_format(at::ScalarType dtype) {
  if (dtype == at::kHalf) return formats::kFloat16;
  if (dtype == at::kBFloat16) return formats::kBFloat16;
  return std::nullopt;
}

/// As low_format(), and the two formats of float8. Empty for dtypes without a format, such as the fnuz forms of float8.
inline std::optional<formats::Format> narrow_format(at::ScalarType dtype) {
  if (dtype == at::kFloat8_e4m3fn) return formats::kFloat8E4M3fn;
  if (dtype == at::kFloat8_e5m2) return formats::kFloat8E5M2;
  return low_format(dtype);
}

/// Format that a dtype stores: as low_format(), and float32 for every other dtype.
inline formats::Format stored_format(at::ScalarType dtype) {
  return low_format(dtype).value_or(formats::kFloat32);
}

/// Dtype that stores a format and computes in it: float32, float16, bfloat16; Undefined for every other format.
inline at::ScalarType dtype_of(const formats::Format& format) {
  if (format == formats::kFloat32) return at::kFloat;
  if (format == formats::kFloat16) return at::kHalf;
  if (format == formats::kBFloat16) return at::kBFloat16;
  return at::ScalarType::Undefined;
}

}  // namespace binade::graph
