// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/trial/trials.h"
#include "tests/planted/planted_case.h"

#include <cstdint>
#include <string>

namespace binade::test {

/// Whether the tried policy of a Try trains like the policy before, or better.
bool holds(wire::TrialVerdict verdict);
/// Whether it trains worse, or not at all. Neither, if too little is known.
bool fails(wire::TrialVerdict verdict);

/// Tries a policy beside float32 throughout.
wire::TrialVerdict besideFloat32(trial::Trials& trials, const policy::Policy& policy, std::int64_t steps);

/// Why a case is not what it claims, in words; empty: beside float32, its policy fails, holds with the known op calls
/// in float32, and fails if any one of them is left out. `trials`: of the case's run.
std::string faultOf(const PlantedCase& planted, trial::Trials& trials, std::int64_t steps);

}  // namespace binade::test
