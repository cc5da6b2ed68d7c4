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

/// Values of a call's results that are 0 in the format that they have, and are not in float64; or 1 and -1 that are
/// others there.
struct Lost {
  std::int64_t count = 0;
  std::int64_t of = 0;
  double largest = 0;              ///< of what was lost
  std::optional<double> constant;  ///< all of it is this number, which stands in the call
  double to = 0;                   ///< what it became: 0, 1 or -1
};

/// What an argument of a call holds at the places of the call's result.
struct MetPlaces {
  std::int64_t zeros = 0;      ///< 0 where the result is
  std::int64_t cancelled = 0;  ///< 1 or -1 where the result is 0 and no argument
  std::int64_t ones = 0;       ///< 1 or -1 where the result is too
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
  /// The same of results that are 1 or -1 in their format and another number in float64.
  Lost rounded_to_one(const graph::Call& call) const;
  /// By argument, what it held at the places of the call's first result; nothing of what has other places than that.
  std::vector<std::optional<MetPlaces>> met_places(const graph::Call& call) const;
  /// Whether the call writes `argument` and nothing that it held is in what it leaves. It is taken for zeros from then
  /// on. False where that cannot be told.
  bool take_overwritten(const graph::Call& call, std::size_t argument);

 private:
  std::optional<graph::Stack> results(const graph::Call& call) const;
  /// Returns the first result in float64; undefined if it has another shape than `result` or there is none.
  at::Tensor first_in_float64(const graph::Call& call, const at::Tensor& result) const;

  std::vector<c10::IValue> arguments_;
};

}  // namespace binade::diagnose
