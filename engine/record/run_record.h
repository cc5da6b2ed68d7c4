// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/notifications.h"

#include <array>
#include <concepts>
#include <cstddef>

namespace binade::record {

/// A record of a run file. The first one is RunStarted. The run's last one is Finished, which is absent after a crash.
/// Tries and notes of other processes stand anywhere after the first.
using RunRecord = wire::RecordedNotification;

/// The main table of each kind of record, in the order of RunRecord's alternatives. It has one row per record.
inline constexpr std::array kRecordTables{
    "run",     "steps", "events",   "evaluations",  "policies",    "scaler_changes",  "checkpoints",
    "rewinds", "log",   "profiles", "cast_ledgers", "comparisons", "quantized_steps", "silent_reports",
    "tries",   "notes", "finished"};
static_assert(kRecordTables.size() == std::variant_size_v<RunRecord>);

template <class T, std::size_t kKind = 0>
constexpr const char* table_of() {
  if constexpr (std::same_as<T, std::variant_alternative_t<kKind, RunRecord>>) {
    return kRecordTables[kKind];
  } else {
    return table_of<T, kKind + 1>();
  }
}

/// Whether records of this type are stored as one JSON object, in the column `json` of their table. The op calls of a
/// profile are rows nevertheless.
template <class T>
concept JsonRecord =
    std::same_as<T, wire::Profile> || std::same_as<T, wire::CastLedger> || std::same_as<T, wire::Float32Comparison> ||
    std::same_as<T, wire::QuantizedStep> || std::same_as<T, wire::SilentReport> || std::same_as<T, wire::Trial>;

}  // namespace binade::record
