// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/element.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace binade::scaled {

/// Format of the scale of a block or tensor.
enum class ScaleFormat : std::uint8_t {
  kE8M0,        ///< a power of two in 8 bits (MX)
  kE4M3,        ///< beside a float32 scale of the tensor (NVFP4)
  kFloat32,     ///< FP8 recipes
  kPowerOfTwo,  ///< a float32 without mantissa (FP8 recipes)
};

/// Rule by which the exponent of an MX scale follows from a block's largest magnitude a. The names are torchao's.
enum class ScaleRule : std::uint8_t {
  kFloor,  ///< floor(log2 a) - emax: the rule of OCP; values above the largest element saturate
  kRceil,  ///< ceil(log2(a / largest)): NVIDIA's rule; no value saturates
  kCeil,   ///< ceil(log2 a) - emax
  kEven,   ///< floor(log2 of a rounded to the element's mantissa) - emax
};

/// Values that share a scale.
enum class Scaling : std::uint8_t {
  kBlocks,   ///< a scale for each block
  kCurrent,  ///< one scale for the tensor, from its own largest magnitude
  kDelayed,  ///< one scale for the tensor, from the largest magnitudes of earlier steps (delayed_scale.h)
};

enum class Rounding : std::uint8_t {
  kNearest,     ///< to nearest, ties to even
  kStochastic,  ///< up or down with the probability that makes the expectation the value (random_bits.h)
};

/// Shape of a block: `length` values along the dimension that a product contracts, in `rows` neighbouring rows.
struct BlockShape {
  int rows = 1;
  int length = 32;
  friend constexpr bool operator==(const BlockShape&, const BlockShape&) = default;
};

/// A format of tensors whose values share scales. A plain value. Made from a name: only the combinations that parse()
/// accepts have a meaning.
struct ScaledFormat {
  Element element = Element::kE4M3;
  Scaling scaling = Scaling::kBlocks;
  BlockShape block;  ///< of kBlocks; {1, 1} otherwise
  ScaleFormat scale = ScaleFormat::kE8M0;
  ScaleRule rule = ScaleRule::kFloor;  ///< of kE8M0
  Rounding rounding = Rounding::kNearest;
  bool transform = false;  ///< a random Hadamard transform of 16 values along the contracted dimension comes first

  friend constexpr bool operator==(const ScaledFormat&, const ScaledFormat&) = default;

  /// Whether the largest magnitude of the whole tensor is needed before its values can be quantized.
  constexpr bool needs_largest() const { return scaling == Scaling::kCurrent || scale == ScaleFormat::kE4M3; }
  /// Stored bits per value, scales of blocks included: 8.25 for mxfp8, 4.5 for nvfp4.
  double bits_per_value() const;
};

/// One of the formats that parse() knows by name, without options.
struct NamedScaledFormat {
  std::string_view name;
  std::string_view summary;  ///< `E4M3 in blocks of 32 with power-of-two scales (OCP MX)`
  ScaledFormat format;
};

/// The named formats: `mxfp8`, `mxfp8_e5m2`, `mxfp6_e2m3`, `mxfp6_e3m2`, `mxfp4`, `nvfp4`, `nvfp4_16x16`,
/// `fp8_current`, `fp8_current_e5m2`, `fp8_delayed`, `fp8_delayed_e5m2`, `fp8_block`, `fp8_block_e5m2`,
/// `fp8_block_128x128`.
std::span<const NamedScaledFormat> named_formats();

/// Name of a format as parse() reads it: the named format and its options in a fixed order, such as
/// `mxfp8+rceil` or `nvfp4+stochastic+hadamard`.
std::string name(const ScaledFormat& format);

/// Parses a name of named_formats(), followed by any of these options, each after a `+`: `rceil`, `ceil`, `even` (of
/// MX formats; `floor` is the default), `pow2` (of `fp8_` formats), `stochastic`, `hadamard`. Empty for any other text.
std::optional<ScaledFormat> parse(std::string_view text);

/// Reason why parse() rejects a text, for a message: `"mxfp9" is no scaled format; mxfp8, mxfp4, nvfp4 ... are`. Empty
/// for a text that it accepts.
std::string why_not(std::string_view text);

}  // namespace binade::scaled
