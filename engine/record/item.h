// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"
#include "engine/wire/profile.h"
#include "engine/wire/records.h"
#include "engine/wire/silent_fault.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace binade::record {

/// What a run file holds, one after the other. The first is RunStarted, the last Finished (absent after a crash).
using Item = std::variant<wire::RunStarted, wire::StepRecord, wire::Event, wire::Evaluated, wire::PolicyApplied,
                          wire::ScalerChanged, wire::CheckpointInfo, wire::Rewound, wire::LogLine, wire::Profile,
                          wire::CastLedger, wire::Float32Comparison, wire::SilentReport, wire::Finished>;

/// The table that has one row for each item of a kind, in the order of Item's kinds.
inline constexpr std::array<const char*, std::variant_size_v<Item>> kItemTables{
    "run",     "steps", "events",   "evaluations",  "policies",    "scaler_changes", "checkpoints",
    "rewinds", "log",   "profiles", "cast_ledgers", "comparisons", "silent_reports", "finished"};

template <class T, std::size_t kKind = 0>
constexpr const char* table_of() {
  if constexpr (std::same_as<T, std::variant_alternative_t<kKind, Item>>) {
    return kItemTables[kKind];
  } else {
    return table_of<T, kKind + 1>();
  }
}

/// Items that are one JSON object, in the column `json` of their table.
template <class T>
concept JsonItem = std::same_as<T, wire::Profile> || std::same_as<T, wire::CastLedger> ||
    std::same_as<T, wire::Float32Comparison> || std::same_as<T, wire::SilentReport>;

}  // namespace binade::record
