// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/peak.h"
#include "profiler/why_not.h"

#include <span>
#include <string>
#include <string_view>

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
/// on the ordinary cores in float32; is_quoted() tells whether that is a bound. `cast_bytes` are the bytes that casts
/// write in the forward; each is read too, at half the size at least. From quoted figures, not a measurement.
double step_seconds(const QuotedPeak& gpu, std::span<const StepProduct> products, double cast_bytes);

/// Whether the GPUs' figures are of this format: `float32`, `tfloat32`, `bfloat16`, `float16`. Products in another one
/// may be faster than step_seconds() says, since newer tensor cores compute float8.
bool is_quoted(std::string_view format);

}  // namespace binade::profiler
