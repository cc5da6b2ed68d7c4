// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <optional>
#include <vector>

namespace binade::observe {

/// Runs a call once more in float64, aside: it tells a result that is too large for its format from one that no format
/// holds (log 0).
class Float64Probe {
 public:
  /// Notes the arguments; copies those that the op will write.
  void keep(const graph::Call& call);
  /// Whether every result is finite in float64; nothing where the op refuses it. Leaves the random state as it was.
  std::optional<bool> run(const graph::Call& call) const;

 private:
  std::vector<c10::IValue> arguments_;
};

}  // namespace binade::observe
