// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/sign.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <optional>

namespace binade::silent {

/// Follows the loss scale: one that has fallen below 1 and stays there lifts no gradient.
class LowScale {
 public:
  /// Steps in a row that were taken at such a scale: fewer are on their way.
  static constexpr std::int64_t kSettled = 20;

  /// A scale that began below 1 was meant so.
  std::optional<Sign> step(const wire::StepRecord& record);

 private:
  double highest_ = 0;
  double last_ = 0;
  std::int64_t below_ = 0;
};

}  // namespace binade::silent
