// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/quantized.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace binade::app {

/// The quantized operands of a run's observed steps. A long run keeps at most kMostSteps of them: the newest step, and
/// others spread over the whole run.
class QuantizedTrack {
 public:
  static constexpr std::size_t kMostSteps = 32;

  void add(const wire::QuantizedStep& quantized);
  /// Removes `step` and later ones.
  void dropFrom(std::int64_t step);
  /// The newest kept step at or before `step`, or of all; null: none.
  const wire::QuantizedStep* at(std::optional<std::int64_t> step) const;

 private:
  std::vector<wire::QuantizedStep> steps_;  ///< by step
};

}  // namespace binade::app
