// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/graph/op_traits.h"
#include "engine/policy/resolve.h"

#include <c10/core/ScalarType.h>

namespace binade::autocast {

/// What a decision's format means for LibTorch: how its tensors are stored, and what computes with them.
struct Precision {
  formats::Format format = formats::kFloat32;
  formats::Format backward = formats::kFloat32;  ///< of the gradients
  formats::Overflow overflow = formats::Overflow::kInfinity;
  /// What stores a tensor. Of a logical format float32, whose values are rounded to the format.
  at::ScalarType dtype = at::kFloat;
  /// Float32 storage with values of `format`: for formats that have no usable dtype, or gradients of another format,
  /// or that saturate. Nothing but rounding makes it; see rounding.h.
  bool logical = false;
  /// The op computes in float32 from exact copies of its low operands and its result is rounded: emulated float16 and
  /// bfloat16 in matrix ops.
  bool wide = false;

  friend bool operator==(const Precision&, const Precision&) = default;
};

/// The dtype that stores a format and computes in it; Undefined where LibTorch has none.
at::ScalarType dtype_of(const formats::Format& format);

/// The precision of plain tensors of a dtype; of one that no format here describes, only `dtype` says so.
Precision precision_of(at::ScalarType dtype);

/// The precision that a decision gives an op.
Precision precision_of(const policy::Decision& decision, const graph::OpTraits& op);

}  // namespace binade::autocast
