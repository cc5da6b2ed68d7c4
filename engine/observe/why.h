// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>
#include <vector>

namespace binade::graph {
struct OpTraits;
}

namespace binade::observe {

/// Why an op has no finite result for what it was given, as its values show: each kind is told only where it was found
/// at the very places that are not finite.
struct Why {
  enum class Kind : std::uint8_t {
    kUnknown,
    kLogOfZero,
    kLogOfNegative,
    kDivisionByZero,
    kZeroByZero,
    kInfinityByInfinity,
    kInfinityTimesZero,
    kBothSigns,        ///< +inf and -inf added
    kRootOfNegative,   ///< of a power with a broken exponent too
    kOutsideOfDomain,  ///< acos(2), atanh(2), logit(2)
    kPole,             ///< atanh(1), logit(1), lgamma(0)
    kAllMasked,        ///< a softmax, or a log of a sum of exponentials, over -inf only
    kInfiniteRow,      ///< a softmax over a row that holds +inf
    kMaskedLabel,      ///< the logit of the right class is -inf
    kNoValues,         ///< the mean of nothing
    kTooFewValues,     ///< the variance of a single value
    kInfiniteArgument,
    kAskedFor,     ///< the op's own number is infinite: a fill
    kSlopeAtZero,  ///< backward: of a root, a logarithm, a division
  };
  Kind kind = Kind::kUnknown;
  std::string argument;    ///< whose values it is about; empty: of none alone
  std::int64_t count = 0;  ///< values, or rows, that are so
  std::int64_t of = 0;     ///< of how many

  bool known() const { return kind != Kind::kUnknown; }
  /// Whether it would be otherwise had `argument` held no zeros.
  bool about_zeros() const {
    return kind == Kind::kLogOfZero || kind == Kind::kDivisionByZero || kind == Kind::kZeroByZero ||
           kind == Kind::kSlopeAtZero;
  }
};

/// Of a call that was run in float64 on `arguments`, none of which holds a NaN, and gave `result`, which is not finite.
Why why_not_finite(const graph::OpTraits& op, const std::vector<c10::IValue>& arguments, const at::Tensor& result);

}  // namespace binade::observe
