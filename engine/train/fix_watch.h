// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace binade::train {

/// Follows fixes that a person took over: what was finite on one batch may not be on the next.
class FixWatch {
 public:
  /// Steps after which a fix counts as held.
  static constexpr std::int64_t kHeld = 200;

  /// A diagnosis has proposed a fix. Those without rules (a lower scale) are the scaler's matter.
  void proposed(const wire::Diagnosis& diagnosis);

  /// The run begins under this policy. Its rules that widen op calls may be a fix of a run before: whether the loss
  /// scale stays up under them is followed, and that they hold is no news.
  void began(const policy::Policy& policy, std::int64_t step);

  /// A policy is in force from `step` on: fixes whose rules it has are followed from there, others no longer.
  void applied(const policy::Policy& policy, std::int64_t step);

  /// Training goes on from an earlier state: what was counted is of steps that are no more. applied() comes next.
  void rewound();

  /// A step is done. `diagnosis` is null where it was finite. Gives an event where a fix has held, or where the loss
  /// scale has fallen below 1 under it: it is no fix then. Of several, the others come with the steps behind.
  std::optional<wire::Event> step(const wire::StepRecord& record, const wire::Diagnosis* diagnosis,
                                  std::span<const wire::SiteInfo> sites);

 private:
  /// The first fix under which the scale has fallen.
  std::optional<wire::Event> fallen(const wire::StepRecord& record);

  struct Fix {
    std::vector<policy::SiteRule> rules;
    std::int64_t since = -1;  ///< -1: not taken over
    bool told = false;
    double scale = 0;           ///< of the first step under it
    std::int64_t scale_at = 0;  ///< that step
    bool failed = false;
    bool given = false;  ///< the run began with it
  };
  std::vector<Fix> fixes_;
};

}  // namespace binade::train
