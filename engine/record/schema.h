// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/sqlite.h"

namespace binade::record {

/// Version of the tables, in `PRAGMA user_version`. A reader refuses every other one.
inline constexpr int kSchemaVersion = 1;

/// `PRAGMA application_id` of a run file: "BNDE". What file(1) and we tell it from other databases by.
inline constexpr int kApplicationId = 0x424e4445;

/// Makes the empty database a run file.
void create_schema(Database& database);

/// Throws Error{kBadFile} where the database is no run file, or one with tables of another version.
void check_schema(const Database& database);

/// Gives the connection, not the file, an empty table for each that is missing or lacks a column, and says so in
/// `damage`: what the others hold can still be read.
void complete(Database& database, Damage& damage);

}  // namespace binade::record
