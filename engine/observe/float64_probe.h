// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/observe/why.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::observe {

/// How many values of a call's results are not finite.
struct NonFinite {
  std::int64_t nan = 0;
  std::int64_t positive_infinity = 0;
  std::int64_t negative_infinity = 0;
  double largest = 0;  ///< largest finite magnitude
  Why why;             ///< where something is not finite
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

/// Runs a call once more in float64, aside: it tells a result that is too large for its format from one that no format
/// holds (log 0), and one that is too small from a true 0.
class Float64Probe {
 public:
  /// Notes the arguments; copies those that the op will write.
  void keep(const graph::Call& call);
  /// What of the results is not finite in float64, and why; nothing where the op refuses it. Leaves the random state as
  /// it was.
  std::optional<NonFinite> run(const graph::Call& call) const;
  /// What the call's results, as they are in the end, have lost to the format that they are stored in or rounded to.
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

  std::vector<c10::IValue> arguments_;
};

}  // namespace binade::observe
