// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/sqlite.h"

#include <cstdint>

namespace binade::record {

/// Version of the tables, stored in `PRAGMA user_version`. Readers reject other versions.
inline constexpr int kSchemaVersion = 1;

/// `PRAGMA application_id` of a run file: "BNDE". It distinguishes run files from other databases, also for file(1).
inline constexpr int kApplicationId = 0x424e4445;

/// Creates the tables of a run file in an empty database.
void create_schema(Database& database);

/// Throws Error{kBadFile} if the database is not a run file, or has tables of another version.
void check_schema(const Database& database);

/// Returns the position of the newest record; 0 if there is none.
std::int64_t newest_position(const Database& database);

/// Adds an empty temporary table to the connection for each table that is missing or lacks a column, and reports it to
/// `damage`, so that the other tables can still be read. The file is unchanged.
void complete(Database& database, Damage& damage);

}  // namespace binade::record
