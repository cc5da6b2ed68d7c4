// SPDX-License-Identifier: Apache-2.0
#include "profiler/peak.h"

#include <algorithm>

namespace binade::profiler {

namespace {

constexpr QuotedPeak kPeaks[] = {
    {"V100 SXM2", "GV100", 15.7, 0, 125, 900, "NVIDIA V100 data sheet, 2018"},
    {"T4", "TU104", 8.1, 0, 65, 320, "NVIDIA T4 data sheet, 2019"},
    {"A100 SXM 80 GB", "GA100", 19.5, 156, 312, 2039, "NVIDIA A100 data sheet, 2021"},
    {"H100 SXM", "GH100", 66.9, 494.7, 989.4, 3352, "NVIDIA H100 architecture white paper, 2022"},
};

double seconds(double operations, double bytes, double teraflops, double gigabytes) {
  return std::max(operations / (1e12 * teraflops), bytes / (1e9 * gigabytes));
}

}  // namespace

std::span<const QuotedPeak> quoted_peaks() {
  return kPeaks;
}

const QuotedPeak* quoted_peak(std::string_view chip) {
  const auto* found = std::find_if(std::begin(kPeaks), std::end(kPeaks), [&](const auto& p) { return p.chip == chip; });
  return found == std::end(kPeaks) ? nullptr : found;
}

double roofline_ratio(const QuotedPeak& gpu, const MatrixShape& shape) {
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  const double operations = 2 * m * n * k;
  const double values = m * k + k * n + m * n;
  return seconds(operations, 4 * values, gpu.float32, gpu.bandwidth) /
         seconds(operations, 2 * values, gpu.float16, gpu.bandwidth);
}

}  // namespace binade::profiler
