// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace binade::formats {

/// Treatment of a finite value beyond a format's rounding limit.
enum class Overflow {
  kInfinity,  ///< IEEE: it becomes infinity, or NaN in a format without infinity (float8_e4m3fn).
  kSaturate,  ///< It becomes the largest finite value of the same sign.
};

/// A binary floating-point number format: one sign bit, `exponent_bits` and `mantissa_bits` stored bits. The layout is
/// IEEE's: bias 2^(E-1)-1, subnormals, infinity and NaN in the top exponent. `finite_only` selects the "fn" layout of
/// float8_e4m3fn: no infinity, numbers in the top exponent, NaN only as all ones. `all_finite` selects the layout of
/// the 4- and 6-bit elements of OCP Microscaling: all patterns are numbers. A plain value; every function in this
/// header is pure and safe on any thread.
struct Format {
  int exponent_bits = 8;
  int mantissa_bits = 23;
  bool finite_only = false;
  bool all_finite = false;  ///< no NaN either; implies finite_only. Values beyond the largest always saturate.

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
  /// Smallest magnitude that rounds beyond `largest()`, to nearest with ties to even: 65520 for float16. In a
  /// finite-only format the tie itself rounds down, so this is the next float32: 464.00003 for float8_e4m3fn.
  double overflow_limit() const;
  /// Largest magnitude that rounds to 0: 2^-25 for float16.
  double underflow_limit() const;
};

inline constexpr Format kFloat32{8, 23};
inline constexpr Format kTFloat32{8, 10};
inline constexpr Format kBFloat16{8, 7};
inline constexpr Format kFloat16{5, 10};
inline constexpr Format kFloat8E4M3fn{4, 3, true};
inline constexpr Format kFloat8E5M2{5, 2};

// Elements of formats whose values share scales. parse() does not accept their names: op calls do not compute in them.
inline constexpr Format kFloat6E2M3fn{2, 3, true, true};
inline constexpr Format kFloat6E3M2fn{3, 2, true, true};
inline constexpr Format kFloat4E2M1fn{2, 1, true, true};

/// Default format of gradients: float8_e5m2, which has more range, for float8_e4m3fn; otherwise `format` itself.
constexpr Format default_backward(const Format& format) {
  return format == kFloat8E4M3fn ? kFloat8E5M2 : format;
}

/// Default treatment of overflow: the two float8 formats saturate, as in the published float8 training recipes; all
/// others give infinity.
constexpr Overflow default_overflow(const Format& format) {
  return format == kFloat8E4M3fn || format == kFloat8E5M2 ? Overflow::kSaturate : Overflow::kInfinity;
}

/// Whether every value of `narrow`, infinity included, is a value of `wide`.
bool contains(const Format& wide, const Format& narrow);

/// Whichever of two formats contains the other; float32, which contains every format, if neither does.
Format widest(const Format& a, const Format& b);

/// Name of a format: `float32`, `tfloat32`, `bfloat16`, `float16`, `float8_e4m3fn`, `float8_e5m2`, otherwise
/// `e<E>m<M>`. Elements of scaled formats are named as in ml_dtypes (`float4_e2m1fn`), and other finite-only formats
/// end in `fn`; `parse` accepts neither.
std::string name(const Format& format);

/// Parses a name as `name()` writes it; `e<E>m<M>` may have 2 to 8 exponent and 1 to 23 mantissa bits. Empty for any
/// other text.
std::optional<Format> parse(std::string_view text);

/// Reason why a text of the form `e<E>m<M>` is not a format: `has 9 exponent bits, where 2 to 8 are possible`. Empty
/// for a format and for a text of another form.
std::string out_of_range(std::string_view text);

/// Value of `format` nearest to `value`: ties to even, subnormals kept. NaN stays NaN and becomes quiet. Infinity
/// stays, becomes NaN in a finite-only format, or becomes the largest value if `overflow` is kSaturate or the format
/// has no NaN.
float round(float value, const Format& format, Overflow overflow = Overflow::kInfinity);

/// Bit pattern of `round(value, format, overflow)` in the low 1 + E + M bits. NaN keeps its sign and the leading bits
/// of its payload; a finite-only format has one NaN per sign. A format without NaN has negative zero in its place, as
/// in ml_dtypes.
std::uint32_t encode(float value, const Format& format, Overflow overflow = Overflow::kInfinity);

/// Value of a bit pattern that `encode` made. Exact: every value of these formats is a float32.
float decode(std::uint32_t bits, const Format& format);

/// Exponent of a finite non-zero value: 2^binade <= |value| < 2^(binade+1). Subnormals of float32 have their true
/// binade, down to -149.
int binade(float value);

}  // namespace binade::formats
