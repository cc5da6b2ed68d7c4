// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/kernel_class.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace binade::profiler {

/// A matrix product of `m` × `k` by `k` × `n`, `batches` times; a convolution as the product that it is computed by.
struct MatrixShape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batches = 1;
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

/// What is known of an op call when its use of tensor cores is judged.
struct OpFacts {
  std::string op;          ///< `aten::conv2d`
  bool matrix_op = false;  ///< whether tensor cores could compute it at all
  std::string format;      ///< in which it runs: `float16`
  bool emulated = false;   ///< computed in float32 and rounded
  bool on_gpu = false;
  std::optional<MatrixShape> shape;             ///< of its product, where known
  double percent = -1;                          ///< tensor pipes active while it ran; below 0: not measured
  KernelClass by_name = KernelClass::kUnknown;  ///< of the kernel that takes longest
};

enum class Verdict : std::uint8_t {
  kUsed,         ///< tensor cores do the work
  kNoGpu,        ///< the run is on a device without them
  kNotMatrix,    ///< no matrix product
  kEmulated,     ///< emulated formats compute in float32
  kFormat,       ///< a format that tensor cores do not take
  kDimensions,   ///< dimensions that are no multiples of what they take
  kTooSmall,     ///< too little work for the device
  kMemoryBound,  ///< waits for memory, not for arithmetic
  kNotMeasured,  ///< nothing speaks against it, and nothing was measured
  kUnexplained,  ///< nothing speaks against it, and it was measured low
};

/// `dimensions`
std::string_view name(Verdict verdict);

/// Why an op call does not use tensor cores, and the edit that would change it.
struct WhyNot {
  Verdict verdict = Verdict::kNotMeasured;
  std::string sentence;
  std::string edit;  ///< empty where none would
  friend bool operator==(const WhyNot&, const WhyNot&) = default;
};

/// Above this share of active cycles an op counts as using tensor cores.
inline constexpr double kUsedPercent = 5;

/// The first of these that holds, in the order of Verdict; what was measured as used is used, whatever speaks against.
/// Where the edit is another device or execution, it says too what would be in the way there.
WhyNot why_not(const OpFacts& facts);

}  // namespace binade::profiler
