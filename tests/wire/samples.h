// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"
#include "engine/wire/profile.h"
#include "engine/wire/quantized.h"
#include "engine/wire/savings.h"
#include "engine/wire/silent_fault.h"
#include "engine/wire/trial.h"
#include "engine/wire/what_if.h"

namespace binade::test {

// One value of every struct that travels, no field of which has its default value. Pure functions of their argument.

policy::Policy samplePolicy(int revision = 3);
wire::RunConfig sampleConfig();
wire::ModelInfo sampleModel();
wire::PolicyApplied samplePolicyApplied(int revision, std::int64_t step);
wire::RunStarted sampleStarted();
/// Step `step` with statistics of `tensors` watched tensors; the first that carries a tensor declares it.
wire::StepRecord sampleStep(std::int64_t step, int tensors = 3);
/// The run of sampleStarted(), on two ranks.
wire::RunStarted sampleStartedOnRanks();
/// A step of it: rank 1 is the slower one, and in every third step its examples 17 and 3 overflow.
wire::StepRecord sampleStepOfRanks(std::int64_t step, int tensors = 3);
wire::Event sampleEvent(std::int64_t step);
wire::Profile sampleProfile(std::int64_t step);
wire::CastLedger sampleCasts(int revision, std::int64_t step);
wire::Float32Comparison sampleComparison(std::int64_t step);
wire::QuantizedStep sampleQuantized(std::int64_t step);
wire::WhatIf sampleWhatIf(std::int64_t step);
wire::Savings sampleSavings(std::int64_t step);
wire::SilentReport sampleSilentReport(std::int64_t step);
/// A Try of 4 steps from `step` on, with two seeds, of which the new policy diverges in the second.
wire::Trial sampleTrial(std::int64_t step);

}  // namespace binade::test
