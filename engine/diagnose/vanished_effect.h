// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay_experiments.h"
#include "engine/diagnose/vanished.h"

#include <optional>
#include <vector>

namespace binade::diagnose {

/// The effect of vanishing overflows on a step, compared with the same step under rules with which nothing overflows.
struct VanishedEffect {
  static constexpr double kLeastShare = 0.01;

  /// For each of Vanished::absorbers: the share of its numbers that differ, 0 to 1. Differences in comparatively small
  /// numbers count only if they affect at least kLeastShare of all.
  std::vector<double> wrong;
  double loss = 0;       ///< of the step
  double mended = 0;     ///< of the step under the rules
  double gradients = 0;  ///< norm of the difference, relative to the norm under the rules
  /// A number passed to the losses, a loss or a gradient differs at all, so the wrong results are used.
  bool used = false;
  /// They differ by more than rounding elsewhere explains, so training takes another course.
  bool reaches = false;

  /// Difference of the losses, relative to the loss under the rules.
  double loss_off() const;
};

/// Runs two replays. nullopt if one of them throws or is not finite; `failed` then has the reason. Requires a
/// train::TrainingStateGuard.
std::optional<VanishedEffect> effect_of(const Vanished& vanished, const Trace& trace, const SiteRules& rules,
                                        Replay& replay, std::string& failed);

}  // namespace binade::diagnose
