// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// What the verdict, the sentence, the table and the chart of a Try are computed from. All use these steps and seeds, so
// that none contradicts another where a training was cut short.

namespace binade::wire {

/// The trainings of a seed with one policy: `before`, `after` or `noise`.
using TrialTraining = TrialArm TrialSeed::*;

/// The steps of a seed over which its trainings are compared.
struct PairedSteps {
  std::size_t seed = 0;              ///< index in Trial::seeds
  std::vector<std::size_t> steps{};  ///< indices of losses, ascending; not empty
};

struct TrialBasis {
  /// The trainings that made the steps. A kind is used if no seed has a step of the kinds before it.
  enum class Kind {
    kJudged,        ///< all three, with finite losses; a verdict needs them
    kBothPolicies,  ///< those of both policies, with any losses
    kPolicyBefore,  ///< that of the policy before, with any losses
  };
  std::vector<PairedSteps> seeds{};  ///< a seed without such a step is left out
  Kind kind = Kind::kPolicyBefore;

  /// Over all seeds.
  std::int64_t steps() const;
};

/// Whether a seed can say anything about the policy tried: the policy before neither fails nor diverges, alone or by
/// rounding.
bool can_judge(const TrialSeed& seed);

TrialBasis basis_of(const Trial& trial);

/// The losses of one training in these steps. Empty if it did not make all of them.
std::vector<double> losses_in(const Trial& trial, const PairedSteps& paired, TrialTraining training);

/// Number of steps after which a training was given up, in the first seed in which one was, because its losses were no
/// longer finite; nullopt: none was.
std::optional<std::int64_t> given_up_after(const Trial& trial, TrialTraining training);

}  // namespace binade::wire
