// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace binade::diagnose {

/// Follows fixes that the user applied, since a fix that is finite on one batch may fail on the next.
class FixWatch {
 public:
  /// Steps after which a fix counts as confirmed.
  static constexpr std::int64_t kHeld = 200;

  /// Registers the fix proposed by a diagnosis. Fixes without rules (a lower scale) are ignored, as the scaler handles
  /// them.
  void proposed(const wire::Diagnosis& diagnosis);

  /// Starts a run under this policy, which `table` resolves. Its float32 rules may be a fix from an earlier run: the
  /// loss scale under those that decide an op call is followed, but no confirmation is reported.
  void began(const policy::Policy& policy, const policy::Resolved& table, std::int64_t step);

  /// A policy is in force from `step` on. Fixes whose rules it contains are followed from there, others no longer.
  void applied(const policy::Policy& policy, std::int64_t step);

  /// Training returns to an earlier state, so counts are reset. applied() must follow.
  void rewound();

  /// Records a step; `diagnosis` is null if it was finite. Returns an event if a fix is confirmed, or if the loss scale
  /// has fallen below 1 under it, so that it has failed. Further events are returned by the following steps.
  std::optional<wire::Event> step(const wire::StepRecord& record, const wire::Diagnosis* diagnosis,
                                  std::span<const wire::SiteInfo> sites);

 private:
  /// Returns an event for the first fix under which the scale has fallen.
  std::optional<wire::Event> fallen(const wire::StepRecord& record);

  struct Fix {
    std::vector<policy::SiteRule> rules;
    std::int64_t since = -1;  ///< -1: not applied
    bool told = false;
    double scale = 0;           ///< in the first step under it
    std::int64_t scale_at = 0;  ///< that step
    bool failed = false;
    bool given = false;  ///< the run started with it
  };
  std::vector<Fix> fixes_;
};

}  // namespace binade::diagnose
