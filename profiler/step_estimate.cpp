// SPDX-License-Identifier: Apache-2.0
#include "profiler/step_estimate.h"

#include <algorithm>

namespace binade::profiler {

namespace {

constexpr double kPasses = 3;         // forward, and the gradients of both operands: the same number of operations each
constexpr double kCastTraffic = 1.5;  // bytes moved for each byte that a cast writes, if it widens from half the size

/// How fast a format is computed, and the size of its values in memory.
struct Speed {
  double teraflops = 0;
  double bytes = 4;
};

Speed speed_of(const QuotedPeak& gpu, const std::string& format) {
  // Tensor cores compute bfloat16 since the generation that also brought tfloat32, at the speed of float16.
  const bool has_bfloat16 = gpu.tfloat32 > 0;
  if (format == "float16") return {gpu.float16, 2};
  if (format == "bfloat16") return {has_bfloat16 ? gpu.float16 : gpu.float32, 2};
  if (format == "tfloat32" && gpu.tfloat32 > 0) return {gpu.tfloat32, 4};
  return {gpu.float32, 4};
}

}  // namespace

double step_seconds(const QuotedPeak& gpu, std::span<const StepProduct> products, double cast_bytes) {
  const double bytes_per_second = 1e9 * gpu.bandwidth;
  double seconds = kCastTraffic * cast_bytes / bytes_per_second;
  for (const StepProduct& product : products) {
    const auto m = static_cast<double>(product.shape.m), n = static_cast<double>(product.shape.n),
               k = static_cast<double>(product.shape.k), batches = static_cast<double>(product.shape.batches);
    const Speed speed = speed_of(gpu, product.format);
    const double arithmetic = batches * 2 * m * n * k / (1e12 * speed.teraflops);
    const double memory = batches * speed.bytes * (m * k + k * n + m * n) / bytes_per_second;
    seconds += product.calls * kPasses * std::max(arithmetic, memory);
  }
  return seconds;
}

bool is_quoted(std::string_view format) {
  return format == "float32" || format == "tfloat32" || format == "bfloat16" || format == "float16";
}

}  // namespace binade::profiler
