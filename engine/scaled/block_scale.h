// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/scaled_format.h"

#include <cstdint>

namespace binade::scaled {

/// A scale as quantization uses it: value * `multiply` is rounded to an element, element * `restore` is the result.
/// Both are rounded to float32, so their product can differ from 1 where the scale is no power of two.
struct Scale {
  float multiply = 1;
  float restore = 1;
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// Scale of a tensor whose largest magnitude is `largest`.
/// - `nvfp4`: restore = largest / (448 * 6), multiply = 1 / restore (torchao). A tensor of zeros has scale 1.
/// - `fp8_current`: multiply = largest element / largest, restore = 1 / multiply (Transformer Engine). It is 1 for
///   a tensor of zeros and for one with infinity or NaN.
/// - Other formats have none: {1, 1}. `fp8_delayed` has DelayedScale::scale().
Scale tensor_scale(const ScaledFormat& format, float largest);

/// Scale of a block.
struct BlockScale : Scale {
  std::uint8_t code = 0;  ///< in E8M0 or E4M3; 0 where the scale is a float32
};

/// Scale of a block whose largest magnitude is `largest`; NaN if the block contains one. `tensor` is the tensor's
/// scale.
/// - E8M0: by format.rule, from 2^-127 to 2^127; NaN for a block with NaN.
/// - E4M3: largest / 6 / tensor.restore, rounded to nearest, from 2^-6 to 448 (torchao).
/// - float32: as tensor_scale() of `fp8_current`, with the mantissa cut off for kPowerOfTwo.
///
/// Results equal those of torchao 0.18.0 to the bit, with these exceptions:
/// - torchao stores the scale 2^-127 but divides by 2^-126, or by 1 for kRceil; here the division is by 2^-127, as the
///   specification says. It concerns blocks below about 2^-110.
/// - torchao takes log2 in float32 for kRceil and loses what exceeds a power of two by less than 2^-18; here it is
///   exact, as on the device.
/// - torchao makes NaN of an NVFP4 tensor of zeros, because it divides 0 by 0; here it stays 0. The same holds for
/// zeros
///   in a tensor whose largest magnitude is below about 5e-34, for which torchao's reciprocal overflows.
/// - Codes of elements in a block whose scale is NaN have no meaning and differ.
BlockScale block_scale(const ScaledFormat& format, float largest, const Scale& tensor = {});

}  // namespace binade::scaled
