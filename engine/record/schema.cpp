// SPDX-License-Identifier: Apache-2.0
#include "engine/record/schema.h"

#include "engine/formats/error.h"
#include "engine/formats/newer_version.h"
#include "engine/record/check_run_file.h"
#include "engine/record/run_record.h"

#include <set>
#include <string>

namespace binade::record {

namespace {

// The comments stay in the file: `.schema` in any SQLite shell shows them. docs/run-file.md has every column. `seq`
// counts everything recorded from 1, so that the tables can be merged back into one history.
constexpr const char* kTables = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE environment (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE run (
  seq INTEGER PRIMARY KEY CHECK (seq = 1),
  config TEXT NOT NULL,        -- JSON as `binade-engine train` takes it
  run_file TEXT NOT NULL,
  device TEXT NOT NULL,
  model TEXT NOT NULL          -- JSON: file, type, parameters, buffers, inputs, ...; its op calls are in `sites`
);
CREATE TABLE ranks (           -- of a run on several processes; empty: one process
  rank INTEGER PRIMARY KEY, host TEXT NOT NULL, device TEXT NOT NULL
);
CREATE TABLE sites (           -- op calls
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,          -- path[::method]/op#ordinal
  path TEXT NOT NULL, method TEXT NOT NULL, op TEXT NOT NULL, overload TEXT NOT NULL, ordinal INTEGER NOT NULL,
  source TEXT NOT NULL,        -- file:line
  list_rule TEXT NOT NULL,     -- what the base list says of the op
  is_view INTEGER NOT NULL, in_place INTEGER NOT NULL,
  in_loop INTEGER NOT NULL,    -- one forward may run it more than once
  inside INTEGER NOT NULL,     -- its kernel calls ops that some list may name
  own_block INTEGER NOT NULL   -- index in `own_blocks` of run.model of the innermost around it; -1: none
);
CREATE TABLE tensors (         -- what is watched
  id INTEGER NOT NULL,
  seq INTEGER NOT NULL,        -- of the step that declared it; a later row with the same id replaces an earlier one
  position INTEGER NOT NULL,
  site INTEGER REFERENCES sites (id), -- NULL: a parameter that no op call was seen to take
  kind TEXT NOT NULL,          -- output, output_gradient, input_gradient, input, parameter, parameter_gradient
  argument TEXT NOT NULL,      -- for a parameter its name
  format TEXT NOT NULL,        -- that holds it
  emulated INTEGER NOT NULL,
  PRIMARY KEY (id, seq)
) WITHOUT ROWID;

CREATE TABLE policies (
  seq INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
  step INTEGER NOT NULL,       -- in force from this step on
  policy TEXT NOT NULL         -- JSON as a policy file holds it
);
CREATE TABLE decisions (       -- what a policy means for each op call
  seq INTEGER NOT NULL REFERENCES policies (seq), site INTEGER NOT NULL,
  kind TEXT NOT NULL, format TEXT NOT NULL, backward TEXT NOT NULL,
  execution TEXT NOT NULL,     -- native, emulated
  overflow TEXT NOT NULL, rule INTEGER NOT NULL,
  PRIMARY KEY (seq, site)
) WITHOUT ROWID;
CREATE TABLE findings (
  seq INTEGER NOT NULL REFERENCES policies (seq), position INTEGER NOT NULL,
  severity TEXT NOT NULL, rule INTEGER NOT NULL, message TEXT NOT NULL,
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;

CREATE TABLE steps (           -- NULL in a REAL column is NaN
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL,
  loss REAL, scale REAL, next_scale REAL,
  found_inf INTEGER NOT NULL, stepped INTEGER NOT NULL,
  learning_rate REAL, gradient_norm REAL, seconds REAL, observe_seconds REAL,
  policy_revision INTEGER NOT NULL
);
CREATE INDEX steps_by_step ON steps (step);
CREATE TABLE step_scales (     -- in runs with several scalers, in the order of the configuration
  seq INTEGER NOT NULL REFERENCES steps (seq), position INTEGER NOT NULL,
  scale REAL, next_scale REAL, found_inf INTEGER NOT NULL,
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE step_ranks (      -- what differs between the ranks of a run on several; NULL: not measured
  seq INTEGER NOT NULL REFERENCES steps (seq), rank INTEGER NOT NULL REFERENCES ranks (rank),
  seconds REAL,                -- of its own forward and backward
  waited REAL,                 -- then, for gradients of the others
  found_inf INTEGER NOT NULL,  -- from its own examples
  rows TEXT,                   -- JSON: of found_inf, its examples in the data; NULL: none, or random data
  tensor REAL,                 -- percent of time with busy tensor cores
  PRIMARY KEY (seq, rank)
) WITHOUT ROWID;
CREATE TABLE stats (           -- statistics of the tensors of a step
  seq INTEGER PRIMARY KEY REFERENCES steps (seq),
  tensors INTEGER NOT NULL,    -- how many are in the BLOB
  size INTEGER NOT NULL,       -- of the BLOB when decompressed
  packed BLOB NOT NULL         -- a zlib stream
);

CREATE TABLE events (          -- mostly overflows; verdict to diagnosis: NULL if the step was not replayed
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL,
  kind TEXT NOT NULL,          -- gradient_overflow, ..., silent: docs/run-file.md
  scale REAL,
  sentence TEXT NOT NULL,      -- for people; made from the other columns
  verdict TEXT,                -- benign, forward_overflow, invalid_operation, ...
  direction TEXT,              -- forward, backward
  bundle TEXT,                 -- file beside this one from which the step can be replayed; empty: none
  diagnosis TEXT,              -- JSON: roots, chain, fix, evidence; sites by id
  facts TEXT NOT NULL,         -- JSON: what the kind adds; without tensors and diagnosis
  rank INTEGER                 -- whose examples; NULL: those of all ranks, or one process
);
CREATE TABLE event_tensors (   -- earliest in execution order first
  seq INTEGER NOT NULL REFERENCES events (seq), position INTEGER NOT NULL,
  tensor INTEGER NOT NULL, site INTEGER NOT NULL,
  non_finite INTEGER NOT NULL, overflow INTEGER NOT NULL, largest REAL, nan INTEGER NOT NULL,
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;

CREATE TABLE scaler_changes (  -- by a person, from `step` on
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, scale REAL,
  scaler TEXT NOT NULL         -- JSON as a run description has it
);
CREATE TABLE checkpoints (     -- the state before `step`
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, file TEXT NOT NULL,
  reason TEXT NOT NULL,        -- step, edit, try, end, request
  policy_revision INTEGER NOT NULL, model TEXT NOT NULL, bytes INTEGER NOT NULL,
  saved INTEGER NOT NULL,      -- seconds since 1970
  loss REAL                    -- of the step before
);
CREATE TABLE rewinds (seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, file TEXT NOT NULL);
CREATE TABLE evaluations (seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, accuracy REAL, loss REAL);

CREATE TABLE profiles (        -- of profiled runs: sources of figures, the curve of the device
  seq INTEGER PRIMARY KEY, last_step INTEGER NOT NULL, json TEXT NOT NULL
);
CREATE TABLE profile_sites (   -- op calls of a profile: seconds a step; NULL: not measured
  seq INTEGER NOT NULL REFERENCES profiles (seq), site INTEGER NOT NULL REFERENCES sites (id),
  calls REAL, forward REAL, backward REAL, accumulate REAL, observe REAL,
  launches REAL, tensor REAL, tensor_error REAL, -- percent of its cycles in which tensor pipes are active
  confidence TEXT NOT NULL, emulated INTEGER NOT NULL,
  PRIMARY KEY (seq, site)
) WITHOUT ROWID;
CREATE TABLE profile_verdicts ( -- why not tensor cores, from `seq` on
  site INTEGER NOT NULL, seq INTEGER NOT NULL REFERENCES profiles (seq),
  verdict TEXT NOT NULL, json TEXT NOT NULL,
  PRIMARY KEY (site, seq)
) WITHOUT ROWID;
CREATE TABLE profile_kernels ( -- the longest of an op call first
  seq INTEGER NOT NULL REFERENCES profiles (seq), site INTEGER NOT NULL, position INTEGER NOT NULL,
  name TEXT NOT NULL, launches INTEGER NOT NULL, seconds REAL,
  by_name TEXT NOT NULL,       -- tensor, ordinary, unknown: what the name suggests
  PRIMARY KEY (seq, site, position)
) WITHOUT ROWID;
CREATE TABLE cast_ledgers (    -- what casts cost: the newest count of each policy revision
  seq INTEGER PRIMARY KEY, policy_revision INTEGER NOT NULL UNIQUE, json TEXT NOT NULL
);
CREATE TABLE comparisons (     -- steps that ran once more in float32
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, json TEXT NOT NULL
);
CREATE TABLE quantized_steps ( -- what quantization did to the operands of products, of observed steps
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, json TEXT NOT NULL
);
CREATE TABLE silent_reports (  -- faults without an infinity: the newest report of each policy revision
  seq INTEGER PRIMARY KEY, policy_revision INTEGER NOT NULL UNIQUE, json TEXT NOT NULL
);

CREATE TABLE tries (           -- other policies trained from a state of the run, beside the one before
  seq INTEGER PRIMARY KEY, first_step INTEGER NOT NULL,
  name TEXT NOT NULL,          -- of the change: `fc1 in float32`
  verdict TEXT NOT NULL,       -- inside_noise, better, worse, diverged, does_not_run, unknown
  json TEXT NOT NULL           -- both policies, the loss of every step, differences
);

CREATE TABLE notes (           -- by a person; of a step the newest row counts, and an empty text removes its note
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, text TEXT NOT NULL,
  written INTEGER NOT NULL     -- seconds since 1970
);

CREATE TABLE log (seq INTEGER PRIMARY KEY, level TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE finished (
  seq INTEGER PRIMARY KEY, outcome TEXT NOT NULL, steps INTEGER NOT NULL, message TEXT NOT NULL, hint TEXT NOT NULL
);
)sql";

/// Returns the columns of a table; empty if there is no such table.
std::set<std::string> columns_of(const Database& database, const std::string& table) {
  std::set<std::string> columns;
  try {
    Statement column(database, "SELECT name FROM pragma_table_info(?)");
    column.query(table);
    while (column.next()) columns.insert(column.text(0));
  } catch (const Error&) {
    columns.clear();  // a view of a missing table
  }
  return columns;
}

}  // namespace

void complete(Database& database, Damage& damage) {
  database.run("PRAGMA temp_store = MEMORY");
  Database whole(":memory:", Database::Mode::kReadWrite);
  whole.run(kTables);
  Statement table(whole, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  while (table.next()) {
    const std::string name = table.text(0);
    const std::set<std::string> there = columns_of(database, name);
    std::string list;
    std::string missing;
    for (const std::string& column : columns_of(whole, name)) {
      list += (list.empty() ? "" : ", ") + column;
      if (missing.empty() && !there.contains(column)) missing = column;
    }
    if (missing.empty()) continue;
    damage.add(database.path() + ": table " + name + (there.empty() ? " does not exist" : " has no column " + missing));
    database.run("CREATE TEMP TABLE " + name + " (" + list + ")");
  }
}

std::int64_t newest_position(const Database& database) {
  std::string sql;
  for (const char* table : kRecordTables) {
    sql += std::string(sql.empty() ? "" : " UNION ALL ") + "SELECT max(seq) AS seq FROM " + table;
  }
  Statement newest(database, "SELECT coalesce(max(seq), 0) FROM (" + sql + ")");
  return newest.next() ? newest.integer(0) : 0;
}

void create_schema(Database& database) {
  // Uses a rollback journal, so that the file itself has its tables before the write-ahead log starts.
  database.run("PRAGMA page_size = 4096");
  database.run("BEGIN");
  database.run("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.run("PRAGMA user_version = " + std::to_string(kSchemaVersion));
  database.run(kTables);
  database.run("INSERT INTO meta VALUES ('created', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))");
  database.run("COMMIT");
}

namespace {

/// The version of Binade that recorded the file; empty if the file does not name it as this version does.
std::string recorded_by(const Database& database) {
  try {
    return database.value("SELECT value FROM environment WHERE key = 'version'");
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

void check_schema(const Database& database) {
  const std::string id = database.value("PRAGMA application_id");
  if (id != std::to_string(kApplicationId)) {
    const bool empty = database.value("SELECT count(*) FROM sqlite_schema") == "0";
    throw Error(ErrorCode::kBadFile,
                database.path() + (empty ? ": the run ended before anything was recorded"
                                         : " is an SQLite database, but not a run file of Binade"),
                empty ? "Delete it and record the run again." : not_a_run_file_hint(database.path()));
  }
  const std::string version = database.value("PRAGMA user_version");
  if (version != std::to_string(kSchemaVersion)) {
    const bool newer = !version.starts_with('-') && (version.size() > 1 || version > std::to_string(kSchemaVersion));
    throw Error(ErrorCode::kBadFile,
                database.path() + " is a Binade run file of version " + version +
                    ", but this program supports version " + std::to_string(kSchemaVersion),
                newer ? newer_version_hint(recorded_by(database)) + " Any SQLite client reads it, too."
                      : "Open it with the version of Binade that wrote it, or with any SQLite client.");
  }
}

}  // namespace binade::record
