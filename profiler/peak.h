// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/why_not.h"

#include <span>
#include <string_view>

namespace binade::profiler {

/// What NVIDIA's data sheets state for a GPU: dense peaks without sparsity, boost clock. Always shown as quoted.
struct QuotedPeak {
  std::string_view gpu;     ///< `V100 SXM2`
  std::string_view chip;    ///< `GV100`
  double float32;           ///< TFLOP/s of the ordinary cores
  double tfloat32;          ///< of the tensor cores; 0: they do not take it
  double float16;           ///< float16 with float32 sums
  double bandwidth;         ///< GB/s
  std::string_view quoted;  ///< where it is stated

  /// Tensor cores' float16 over ordinary cores' float32.
  double ratio() const { return float16 / float32; }
};

std::span<const QuotedPeak> quoted_peaks();
/// Null where the chip is not in the list.
const QuotedPeak* quoted_peak(std::string_view chip);

/// How many times faster than in float32 a product can at most be on tensor cores in float16, by the roofline: each
/// side is the slower of arithmetic and memory. A bound from quoted figures, not a measurement; between 2 (memory
/// moves half the bytes) and ratio().
double roofline_ratio(const QuotedPeak& gpu, const MatrixShape& shape);

}  // namespace binade::profiler
