// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/peak.h"
#include "profiler/why_not.h"

#include <span>
#include <string>

namespace binade::profiler {

/// A matrix product in the forward of a step.
struct StepProduct {
  MatrixShape shape;
  std::string format;  ///< that it runs in: `float16`
  double calls = 1;    ///< in one step
};

/// Returns the seconds that the products and casts of a training step take at least on a GPU, by the roofline model:
/// each product takes the slower of arithmetic and memory, and is computed three times, once forward and once for the
/// gradient of each operand. float16, bfloat16 and tfloat32 run on tensor cores that support them, every other format
/// on the ordinary cores in float32. `cast_bytes` are the bytes that casts write in the forward; each is read too, at
/// half the size at least. From quoted figures, not a measurement.
double step_seconds(const QuotedPeak& gpu, std::span<const StepProduct> products, double cast_bytes);

}  // namespace binade::profiler
