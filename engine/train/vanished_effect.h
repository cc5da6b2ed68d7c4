// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/vanished.h"
#include "engine/train/tries.h"

#include <optional>
#include <vector>

namespace binade::train {

/// What overflows that vanish do to a step, measured beside the same step under rules with which nothing overflows.
struct VanishedEffect {
  /// Of each Vanished::absorbers: the share of its numbers that are others, 0..1.
  std::vector<double> wrong;
  double loss = 0;    ///< of the step
  double mended = 0;  ///< and under the rules
  /// What the losses were given, the losses or the gradients are others too: it is no matter of numbers that nothing
  /// is made of.
  bool reaches = false;
};

/// Two replays. Nothing where one of them throws or is not finite. While a Replay::Aside lives.
std::optional<VanishedEffect> effect_of(const observe::Vanished& vanished, const observe::Trace& trace,
                                        const SiteRules& rules, Replay& replay);

}  // namespace binade::train
