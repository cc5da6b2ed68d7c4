// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/notifications.h"

#include <array>
#include <concepts>
#include <cstddef>

namespace binade::record {

/// What a run file holds, one after the other. The first is RunStarted, the last Finished (absent after a crash).
using RunRecord = wire::RecordedNotification;

/// The table that has one row for each record of a kind, in the order of RunRecord's kinds.
inline constexpr std::array kRecordTables{
    "run",     "steps", "events",   "evaluations",  "policies",    "scaler_changes", "checkpoints",
    "rewinds", "log",   "profiles", "cast_ledgers", "comparisons", "silent_reports", "finished"};
static_assert(kRecordTables.size() == std::variant_size_v<RunRecord>);

template <class T, std::size_t kKind = 0>
constexpr const char* table_of() {
  if constexpr (std::same_as<T, std::variant_alternative_t<kKind, RunRecord>>) {
    return kRecordTables[kKind];
  } else {
    return table_of<T, kKind + 1>();
  }
}

/// Records that are one JSON object, in the column `json` of their table. Op calls of a profile are rows all the same.
template <class T>
concept JsonRecord = std::same_as<T, wire::Profile> || std::same_as<T, wire::CastLedger> ||
    std::same_as<T, wire::Float32Comparison> || std::same_as<T, wire::SilentReport>;

}  // namespace binade::record
