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

namespace binade::diagnose {

/// Why an op has no finite result for its arguments. A kind is reported only if its condition holds at the very
/// positions that are not finite.
struct InvalidOperation {
  enum class Kind : std::uint8_t {
    kUnknown,
    kLogOfZero,
    kLogOfNegative,
    kDivisionByZero,
    kZeroByZero,
    kInfinityByInfinity,
    kInfinityTimesZero,
    kBothSigns,        ///< +inf and -inf were added
    kRootOfNegative,   ///< also a power with a fractional exponent
    kOutsideOfDomain,  ///< acos(2), atanh(2), logit(2)
    kPole,             ///< atanh(1), logit(1), lgamma(0)
    kAllMasked,        ///< a softmax or logsumexp over -inf only
    kInfiniteRow,      ///< a softmax over a row that holds +inf
    kMaskedLabel,      ///< the logit of the correct class is -inf
    kNoValues,         ///< the mean of an empty tensor
    kTooFewValues,     ///< the variance of a single value
    kInfiniteArgument,
    kAskedFor,     ///< the op's own number is infinite: a fill
    kSlopeAtZero,  ///< in backward: of a root, a logarithm, a division
  };
  Kind kind = Kind::kUnknown;
  std::string argument;    ///< the argument concerned; empty: no single one
  std::int64_t count = 0;  ///< number of values, or rows, with that property
  std::int64_t of = 0;     ///< total number of them

  bool known() const { return kind != Kind::kUnknown; }
  /// Returns whether zeros in `argument` are the reason.
  bool about_zeros() const {
    return kind == Kind::kLogOfZero || kind == Kind::kDivisionByZero || kind == Kind::kZeroByZero ||
           kind == Kind::kSlopeAtZero;
  }
};

/// Returns the reason for a call that ran in float64 on `arguments`, none of which holds a NaN, and gave the non-finite
/// `result`.
InvalidOperation find_invalid_operation(const graph::OpTraits& op, const std::vector<c10::IValue>& arguments,
                                        const at::Tensor& result);

}  // namespace binade::diagnose
