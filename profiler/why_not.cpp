// SPDX-License-Identifier: Apache-2.0
#include "profiler/why_not.h"

namespace binade::profiler {

namespace {

using Kind = wire::TensorVerdict::Kind;

/// Returns the multiple that NVIDIA's guides require of a product's dimensions; 0: not supported by tensor cores.
std::int64_t multiple_of(const std::string& format) {
  if (format == "float16" || format == "bfloat16") return 8;
  if (format == "tfloat32") return 4;
  if (format == "float8_e4m3fn" || format == "float8_e5m2") return 16;
  return 0;
}

double bytes_of(const std::string& format) {
  return format == "tfloat32" ? 4 : multiple_of(format) == 16 ? 1 : 2;
}

/// Products with fewer operations finish before tensor cores are busy: an A100 needs 32 ns for them at its float16
/// peak.
constexpr double kLittleWork = 1e7;

double operations(const MatrixShape& shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) *
         static_cast<double>(shape.batches);
}

/// Returns the product's operations per byte moved, with operands and result of `bytes` each.
double intensity(const MatrixShape& shape, double bytes) {
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  const double moved = bytes * (m * k + k * n + m * n);
  return moved > 0 ? 2 * m * n * k / moved : 0;
}

/// Finds an obstacle in the product's shape and writes its numbers into `verdict`.
std::optional<Kind> by_shape(const OpFacts& facts, wire::TensorVerdict& verdict) {
  const std::int64_t multiple = multiple_of(facts.format);
  // Kernels pad the rows of a product (m) themselves; the rows in memory (n, k) must be aligned.
  for (const bool of_outputs : {false, true}) {
    const std::int64_t size = of_outputs ? facts.shape->n : facts.shape->k;
    if (size % multiple == 0) continue;
    verdict.of_outputs = of_outputs;
    verdict.size = size;
    verdict.multiple = multiple;
    verdict.padded = (size / multiple + 1) * multiple;
    return Kind::kDimensions;
  }
  const double work = operations(*facts.shape);
  if (work < kLittleWork) {
    verdict.operations = work;
    return Kind::kTooSmall;
  }
  const double each = intensity(*facts.shape, bytes_of(facts.format));
  if (each < wire::TensorVerdict::kRidge) {
    verdict.per_byte = each;
    return Kind::kMemoryBound;
  }
  return std::nullopt;
}

}  // namespace

wire::TensorVerdict why_not(const OpFacts& facts) {
  wire::TensorVerdict verdict{.format = facts.format, .on_gpu = facts.on_gpu};
  const auto kind_of = [&] {
    if (facts.percent >= kUsedPercent) return Kind::kUsed;
    if (!facts.matrix_op) return Kind::kNotMatrix;
    const bool fits_format = multiple_of(facts.format) != 0;
    if (facts.emulated || !facts.on_gpu) {
      if (fits_format && facts.shape) verdict.then = by_shape(facts, verdict);
      return facts.emulated ? Kind::kEmulated : Kind::kNoGpu;
    }
    if (!fits_format) return Kind::kFormat;
    const auto found = facts.shape ? by_shape(facts, verdict) : std::nullopt;
    if (found) return *found;
    return facts.percent < 0 ? Kind::kNotMeasured : Kind::kUnexplained;
  };
  verdict.kind = kind_of();
  return verdict;
}

}  // namespace binade::profiler
