// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/profile.h"

#include <cstdint>
#include <optional>
#include <string>

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
  bool matrix_op = false;  ///< whether tensor cores could compute it at all
  std::string format;      ///< the format it runs in: `float16`
  bool emulated = false;   ///< computed in float32 and rounded
  bool on_gpu = false;
  std::optional<MatrixShape> shape;  ///< of its product; nullopt: unknown
  double percent = -1;               ///< tensor pipes active while it ran; below 0: not measured
};

/// An op with more active cycles than this counts as using tensor cores, in percent.
inline constexpr double kUsedPercent = 5;

/// Returns why an op call does or does not use tensor cores. The first kind that applies: measured use, no matrix
/// product, emulation, no GPU, format, dimensions, size, memory, then not measured or unexplained. If the edit is
/// another device or execution, the verdict also has the next obstacle.
wire::TensorVerdict why_not(const OpFacts& facts);

}  // namespace binade::profiler
