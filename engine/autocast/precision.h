// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/graph/op_traits.h"
#include "engine/policy/resolve.h"

#include <c10/core/ScalarType.h>

namespace binade::autocast {

/// Realisation of a decision's format in LibTorch: how tensors are stored and how ops compute.
struct Precision {
  formats::Format format = formats::kFloat32;
  formats::Format backward = formats::kFloat32;  ///< format of the gradients
  formats::Overflow overflow = formats::Overflow::kInfinity;
  /// Dtype of storage. For a logical format it is float32, with values rounded to the format.
  at::ScalarType dtype = at::kFloat;
  /// Float32 storage with values of `format`: for formats without a usable dtype, with gradients of another format, or
  /// that saturate. Only rounding makes such values; see rounding.h.
  bool logical = false;
  /// The op computes in float32 on exact copies of its low operands, and its result is rounded: emulated float16 and
  /// bfloat16 in matrix ops.
  bool wide = false;

  friend bool operator==(const Precision&, const Precision&) = default;
};

/// Precision of plain tensors of a dtype. For a dtype without a corresponding format, only the member `dtype` is
/// meaningful.
Precision precision_of(at::ScalarType dtype);

/// Precision that a decision gives an op.
Precision precision_of(const policy::Decision& decision, const graph::OpTraits& op);

}  // namespace binade::autocast
