// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/why.h"
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
  double largest = 0;  ///< largest finite magnitude
  Why why;             ///< the reason, if a value is not finite
  bool none() const { return nan == 0 && positive_infinity == 0 && negative_infinity == 0; }
};

/// Values of a call's results that are 0 in their format but not in float64.
struct Lost {
  std::int64_t count = 0;
  std::int64_t of = 0;
  double largest = 0;              ///< largest of the lost values
  std::optional<double> constant;  ///< set if every lost value equals this constant argument
};

/// Runs a call again in float64 on copies. This distinguishes a result too large for its format from one that exists in
/// no format (log 0), and an underflow from a true 0.
class Float64Probe {
 public:
  /// Keeps the arguments, and copies those that the op writes.
  void keep(const graph::Call& call);
  /// Returns the non-finite values of the results in float64, and why; nullopt if the op throws in float64. Preserves
  /// the CPU's random state.
  std::optional<NonFinite> run(const graph::Call& call) const;
  /// Returns what the call's final results lost to the format that they are stored in or rounded to.
  Lost lost(const graph::Call& call) const;

 private:
  std::optional<graph::Stack> results(const graph::Call& call) const;

  std::vector<c10::IValue> arguments_;
};

}  // namespace binade::diagnose
