// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/kernel_class.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace binade::profiler {

/// A matrix product of `m` × `k` by `k` × `n`, `batches` times. A convolution counts as its equivalent product.
struct MatrixShape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batches = 1;
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

/// Facts about an op call from which its use of tensor cores is judged.
struct OpFacts {
  std::string op;          ///< `aten::conv2d`
  bool matrix_op = false;  ///< whether tensor cores could compute it at all
  std::string format;      ///< the format it runs in: `float16`
  bool emulated = false;   ///< computed in float32 and rounded
  bool on_gpu = false;
  std::optional<MatrixShape> shape;             ///< of its product; nullopt: unknown
  double percent = -1;                          ///< tensor pipes active while it ran; below 0: not measured
  KernelClass by_name = KernelClass::kUnknown;  ///< of its longest kernel
};

enum class Verdict : std::uint8_t {
  kUsed,         ///< runs on tensor cores
  kNoGpu,        ///< the run's device has none
  kNotMatrix,    ///< not a matrix product
  kEmulated,     ///< emulated formats are computed in float32
  kFormat,       ///< a format that tensor cores do not support
  kDimensions,   ///< dimensions that are not the required multiples
  kTooSmall,     ///< too little work for the device
  kMemoryBound,  ///< limited by memory bandwidth, not by arithmetic
  kNotMeasured,  ///< no obstacle found, and nothing was measured
  kUnexplained,  ///< no obstacle found, but the measured use is low
};

/// `dimensions`
std::string_view name(Verdict verdict);

/// Why an op call does not use tensor cores, and the edit that would change it.
struct WhyNot {
  Verdict verdict = Verdict::kNotMeasured;
  std::string sentence;
  std::string edit;  ///< empty if no edit helps
  friend bool operator==(const WhyNot&, const WhyNot&) = default;
};

/// An op with more active cycles than this counts as using tensor cores, in percent.
inline constexpr double kUsedPercent = 5;

/// Returns the first verdict that applies: measured use, no matrix product, emulation, no GPU, format, dimensions,
/// size, memory, then not measured or unexplained. If the edit is another device or execution, it also names the next
/// obstacle.
WhyNot why_not(const OpFacts& facts);

}  // namespace binade::profiler
