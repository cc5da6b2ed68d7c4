// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"
#include "engine/wire/profile.h"
#include "engine/wire/records.h"
#include "engine/wire/silent_fault.h"

#include <cstdint>
#include <variant>

namespace binade::record {

/// What a run file holds, one after the other. The first is RunStarted, the last Finished (absent after a crash).
using Item = std::variant<wire::RunStarted, wire::StepRecord, wire::Event, wire::Evaluated, wire::PolicyApplied,
                          wire::ScalerChanged, wire::CheckpointInfo, wire::Rewound, wire::LogLine, wire::Profile,
                          wire::CastLedger, wire::Float32Comparison, wire::SilentReport, wire::Finished>;

}  // namespace binade::record
