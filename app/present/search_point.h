// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/wire/trial.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <limits>
#include <optional>

namespace binade::app {

/// What a search should find less of; kRepair: the smallest change of a policy that fails.
enum class SearchGoal : std::uint8_t { kTime, kMemory, kCasts, kRepair };

/// A policy that a search has tried, as `binade-engine search` reports it.
struct SearchPoint {
  qint64 attempt = 0;   ///< number of the try that proved it, from 1
  QStringList changed;  ///< names of the op calls that differ from the policy that the search started from
  bool holds = false;   ///< it trains as well as the policy to compare with, and keeps the limits
  wire::TrialVerdict verdict = wire::TrialVerdict::kUnknown;
  /// Mean difference of the loss from that of the policy that the search started from; in a search that repairs, from
  /// float32. May not be finite.
  double gap = std::numeric_limits<double>::quiet_NaN();
  double cost = std::numeric_limits<double>::quiet_NaN();  ///< seconds a step, bytes, casts, or changed op calls
  std::optional<double> base_cost{};   ///< of the policy that the search started from, measured beside it
  double cost_noise = 0;               ///< a difference from base_cost that is no larger is no saving
  std::optional<double> evaluation{};  ///< loss on the test data
  QString reason;                      ///< why it does not run; mostly empty
  QString file;                        ///< of the policy
  policy::Policy policy;
};

}  // namespace binade::app
