// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace binade::formats {

/// What a format does with a finite value beyond its rounding limit.
enum class Overflow {
  kInfinity,  ///< IEEE: becomes infinity. A format without infinity (float8_e4m3fn) gives NaN.
  kSaturate,  ///< Becomes the largest finite value of the same sign.
};

/// A binary floating-point number format: one sign bit, `exponent_bits`, `mantissa_bits` stored.
/// IEEE-like (bias 2^(E-1)-1, subnormals, the top exponent means infinity or NaN) unless `finite_only`, which is the
/// "fn" layout of float8_e4m3fn: no infinity, the top exponent holds numbers, and only all ones is NaN.
/// A plain value; every function here is pure and safe on any thread.
struct Format {
  int exponent_bits = 8;
  int mantissa_bits = 23;
  bool finite_only = false;

  friend constexpr bool operator==(const Format&, const Format&) = default;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  /// Exponent of the smallest normal number: -14 for float16.
  constexpr int min_exponent() const { return 1 - bias(); }
  /// Exponent of the largest finite number: 15 for float16, 8 for float8_e4m3fn.
  constexpr int max_exponent() const { return finite_only ? bias() + 1 : bias(); }
  /// Exponent of the smallest subnormal: -24 for float16.
  constexpr int subnormal_exponent() const { return min_exponent() - mantissa_bits; }

  /// Largest finite value: 65504 for float16, 448 for float8_e4m3fn.
  double largest() const;
  double smallest_normal() const;
  double smallest_subnormal() const;
  /// A magnitude at or above this rounds beyond `largest()`: 65520 for float16 (round to nearest, ties to even). In a
  /// finite-only format the tie itself still rounds down, so this is the float32 after it: 464.00003 for float8_e4m3fn.
  double overflow_limit() const;
  /// A non-zero magnitude at or below this rounds to 0: 2^-25 for float16.
  double underflow_limit() const;
};

inline constexpr Format kFloat32{8, 23};
inline constexpr Format kTFloat32{8, 10};
inline constexpr Format kBFloat16{8, 7};
inline constexpr Format kFloat16{5, 10};
inline constexpr Format kFloat8E4M3fn{4, 3, true};
inline constexpr Format kFloat8E5M2{5, 2};

/// The format that gradients take where nobody says otherwise: float8_e5m2's range for float8_e4m3fn, else the same.
constexpr Format default_backward(const Format& format) {
  return format == kFloat8E4M3fn ? kFloat8E5M2 : format;
}

/// What happens beyond the limit where nobody says otherwise: the two float8 formats saturate, as every recipe for them
/// does; all others give infinity.
constexpr Overflow default_overflow(const Format& format) {
  return format == kFloat8E4M3fn || format == kFloat8E5M2 ? Overflow::kSaturate : Overflow::kInfinity;
}

/// Whether every value of `narrow`, infinity too, is a value of `wide`.
bool contains(const Format& wide, const Format& narrow);

/// The one of two formats that contains the other; float32, which contains all, where neither does.
Format widest(const Format& a, const Format& b);

/// `float32`, `tfloat32`, `bfloat16`, `float16`, `float8_e4m3fn`, `float8_e5m2`, else `e<E>m<M>`, with `fn`
/// behind it for another finite-only format (which `parse` does not read).
std::string name(const Format& format);

/// Reads a name as `name()` writes it; `e<E>m<M>` takes 2 to 8 exponent and 1 to 23 mantissa bits. Nothing for
/// anything else.
std::optional<Format> parse(std::string_view text);

/// What keeps a text of the form `e<E>m<M>` from being a format: `has 9 exponent bits, where 2 to 8 are possible`.
/// Empty for a format, and for a text of another form.
std::string out_of_range(std::string_view text);

/// The value of `format` nearest to `value`, ties to even, subnormals kept. NaN stays NaN (a quiet one).
/// Infinity stays, becomes NaN in a finite-only format, or the largest value where `overflow` saturates.
float round(float value, const Format& format, Overflow overflow = Overflow::kInfinity);

/// The bit pattern of `round(value, format, overflow)`, in the low 1 + E + M bits. NaN keeps its sign and the leading
/// bits of its payload; a finite-only format has one NaN of each sign.
std::uint32_t encode(float value, const Format& format, Overflow overflow = Overflow::kInfinity);

/// The value of a bit pattern as `encode` makes it; exact, every value of these formats is a float32.
float decode(std::uint32_t bits, const Format& format);

/// The exponent of a finite non-zero magnitude, so that 2^binade <= |value| < 2^(binade+1); subnormals of float32
/// have their true binade, down to -149.
int binade(float value);

}  // namespace binade::formats
