// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/vanished.h"
#include "engine/train/tries.h"

#include <optional>
#include <vector>

namespace binade::train {

/// What overflows that vanish do to a step, measured beside the same step under rules with which nothing overflows.
struct VanishedEffect {
  static constexpr double kLeastShare = 0.01;

  /// Of each Vanished::absorbers: the share of its numbers that are others, 0..1. Numbers that are small beside the
  /// usual ones count from kLeastShare of all on.
  std::vector<double> wrong;
  double loss = 0;       ///< of the step
  double mended = 0;     ///< and under the rules
  double gradients = 0;  ///< the norm of what they are off by, as a share of theirs under the rules
  /// Something of what the losses were given, of the losses or of the gradients is another number at all: what is made
  /// of the wrong numbers is used.
  bool used = false;
  /// And so far off that rounding elsewhere does not explain it: training goes another way.
  bool reaches = false;

  /// What the loss is off by, as a share of it under the rules.
  double loss_off() const;
};

/// Two replays. Nothing where one of them throws or is not finite: `failed` then says why. While a Replay::Aside lives.
std::optional<VanishedEffect> effect_of(const observe::Vanished& vanished, const observe::Trace& trace,
                                        const SiteRules& rules, Replay& replay, std::string& failed);

}  // namespace binade::train
