// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::observe {

/// How many values of a call's results are not finite.
struct NonFinite {
  std::int64_t nan = 0;
  std::int64_t positive_infinity = 0;
  std::int64_t negative_infinity = 0;
  bool none() const { return nan == 0 && positive_infinity == 0 && negative_infinity == 0; }
};

/// Runs a call once more in float64, aside: it tells a result that is too large for its format from one that no format
/// holds (log 0).
class Float64Probe {
 public:
  /// Notes the arguments; copies those that the op will write.
  void keep(const graph::Call& call);
  /// What of the results is not finite in float64; nothing where the op refuses it. Leaves the random state as it was.
  std::optional<NonFinite> run(const graph::Call& call) const;

 private:
  std::vector<c10::IValue> arguments_;
};

}  // namespace binade::observe
