// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/why_not.h"

#include <span>
#include <string_view>

namespace binade::profiler {

/// Peak performance from NVIDIA's data sheets: dense, boost clock. Always displayed as quoted.
struct QuotedPeak {
  std::string_view gpu;     ///< `V100 SXM2`
  std::string_view chip;    ///< `GV100`
  double float32;           ///< TFLOP/s of the ordinary cores
  double tfloat32;          ///< of the tensor cores; 0: not supported
  double float16;           ///< float16 with float32 accumulation
  double bandwidth;         ///< GB/s
  std::string_view quoted;  ///< source of the figures

  /// Ratio of the tensor cores' float16 to the ordinary cores' float32.
  double ratio() const { return float16 / float32; }
};

/// All GPUs with quoted figures, the oldest first.
std::span<const QuotedPeak> quoted_peaks();

/// Returns the figures of a chip; null if the chip is not in the list.
const QuotedPeak* quoted_peak(std::string_view chip);

/// Upper bound of a product's speed-up on tensor cores in float16 over float32, by the roofline model: each side takes
/// the slower of arithmetic and memory. From quoted figures, not a measurement. Between 2 (memory traffic halves) and
/// ratio().
double roofline_ratio(const QuotedPeak& gpu, const MatrixShape& shape);

}  // namespace binade::profiler
