// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/invalid_operation.h"
#include "engine/graph/site_hook.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::diagnose {

/// Number of non-finite values in a call's results.
struct NonFinite {
  std::int64_t nan = 0;
  std::int64_t positive_infinity = 0;
  std::int64_t negative_infinity = 0;
  double largest = 0;    ///< largest finite magnitude
  InvalidOperation why;  ///< the reason, if a value is not finite
  bool none() const { return nan == 0 && positive_infinity == 0 && negative_infinity == 0; }
};

/// Values of a call's result that its format lost: they are 0 but not 0 in float64, or they are 1 or -1 but another
/// number in float64.
struct Lost {
  std::int64_t count = 0;
  std::int64_t of = 0;
  double largest = 0;              ///< largest lost magnitude
  std::optional<double> constant;  ///< a constant argument of the call to which all lost values are equal
  double to = 0;                   ///< the value after rounding: 0, 1 or -1
};

/// Counts how an argument's elements correspond to zeros and ones of the call's result, at the same positions.
struct MetPlaces {
  std::int64_t zeros = 0;      ///< the argument and the result are 0
  std::int64_t cancelled = 0;  ///< the argument is 1 or -1, and the result is 0 although no argument is 0
  std::int64_t ones = 0;       ///< the argument and the result are 1 or -1
};

/// Runs a call again in float64 on copies. This distinguishes a result too large for its format from one that exists in
/// no format (log 0), and an underflow from a true 0. If memory runs out, every question throws and changes nothing.
class Float64Probe {
 public:
  /// Stores the arguments, with copies of those that the op writes.
  void keep(const graph::Call& call);
  /// Returns the non-finite values of the results in float64, and why; nullopt if the op throws in float64.
  /// Preserves the CPU's random state.
  std::optional<NonFinite> run(const graph::Call& call) const;
  /// Returns the values of the call's final result that became 0 in the format that stores it or to which it is
  /// rounded.
  Lost lost(const graph::Call& call) const;
  /// Returns the values of the result that are 1 or -1 in its format and another number in float64.
  Lost rounded_to_one(const graph::Call& call) const;
  /// Returns the counts by argument, for the call's first result. nullopt for arguments that cannot be broadcast to its
  /// shape.
  std::vector<std::optional<MetPlaces>> met_places(const graph::Call& call) const;
  /// Returns whether the call overwrites `argument` without reading it, determined by running it on zeros and on ones.
  /// If so, later runs use zeros for the argument. Returns false if it cannot be determined.
  bool take_overwritten(const graph::Call& call, std::size_t argument);

 private:
  /// Runs the call on `arguments`, which are widened first; nullopt if the op throws in float64. An out-of-memory error
  /// is rethrown.
  static std::optional<graph::Stack> results(const graph::Call& call, const std::vector<c10::IValue>& arguments);
  /// Returns the first result in float64; undefined if it has another shape than `result` or there is none.
  at::Tensor first_in_float64(const graph::Call& call, const at::Tensor& result) const;

  std::vector<c10::IValue> arguments_;
};

}  // namespace binade::diagnose
