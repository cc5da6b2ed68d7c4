// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/sqlite.h"

namespace binade::record {

/// Version of the tables; a reader refuses newer ones. Kept in `PRAGMA user_version`.
inline constexpr int kSchemaVersion = 10;

/// `PRAGMA application_id` of a run file: "BNDE". What file(1) and we tell it from other databases by.
inline constexpr int kApplicationId = 0x424e4445;

// The tables, docs/run-file.md has them with every column:
//   meta          when and by what the file was made
//   environment   machine and program
//   run           configuration, device and model: one row once the training has begun
//   sites, model_blocks, model_tensors, model_inputs, model_warnings   the model
//   tensors       what is watched
//   policies, decisions, findings                           every policy that came into force
//   step_scales, scaler_changes                             several scalers; what a person changed
//   checkpoints, rewinds                                    what was kept, and where the run went back to
//   steps, stats  one row each an optimizer step; the statistics of its tensors in one compressed BLOB
//   events, event_tensors, event_diagnoses, evaluations, log, finished
//   silent_reports, silent_faults                           what is wrong although nothing is infinite
//   parameter_updates                                       what became of each parameter's newest update
//   profiles, profile_...                                   times of op calls, the device's curve
//   cast_ledgers, cast_lines                                what casts cost, the newest count of each policy revision
//   comparisons, comparison_sites, comparison_notes         steps that ran once more in float32
// `seq` counts everything recorded from 1, so that the tables can be merged back into one history.

/// Makes the empty database a run file.
void create_schema(Database& database);

/// Throws Error{kBadFile} where the database is no run file, or one of a newer Binade.
void check_schema(const Database& database);

/// Gives the connection, not the file, what a file of an older version lacks, so that readers know one version only.
void upgrade(Database& database);

/// Gives the connection, not the file, an empty table for each that is missing or lacks a column, and says so in
/// `damage`: what the others hold can still be read.
void complete(Database& database, Damage& damage);

}  // namespace binade::record
