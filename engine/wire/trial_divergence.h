// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

#include <cstddef>
#include <optional>

namespace binade::wire {

/// Returns whether a training of the policy before is no reference: its weights or its last losses are not finite, or
/// its scaler skipped every step.
bool has_broken(const TrialArm& before);

/// Returns the index of the step from which `arm` diverges although `before` does not; nullopt: it does not. It
/// diverges where
/// - its losses are not finite in more steps than those of `before`, counted where the other is finite; or its weights
///   or its evaluation are not finite at the end,
/// - its losses exceed ten times the largest of `before` in all last steps, three at least,
/// - its scaler skipped every step: more than a scale needs to settle, ten, or down to a scale below 1.
std::optional<std::size_t> diverges_at(const TrialArm& arm, const TrialArm& before);

}  // namespace binade::wire
