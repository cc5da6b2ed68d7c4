// SPDX-License-Identifier: Apache-2.0
#include "engine/record/schema.h"

#include "engine/formats/error.h"

#include <set>
#include <string>

namespace binade::record {

namespace {

// The comments stay in the file: `.schema` in any SQLite shell shows them.
constexpr const char* kTables = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE environment (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE run (
  seq INTEGER PRIMARY KEY CHECK (seq = 1),
  config TEXT NOT NULL,        -- JSON as `binade-engine train` takes it
  run_file TEXT NOT NULL,
  device TEXT NOT NULL,
  model_file TEXT NOT NULL,
  model_type TEXT NOT NULL,
  model_output TEXT NOT NULL   -- TorchScript type
);

CREATE TABLE sites (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,          -- path[::method]/op#ordinal
  path TEXT NOT NULL, method TEXT NOT NULL, op TEXT NOT NULL, overload TEXT NOT NULL, ordinal INTEGER NOT NULL,
  source TEXT NOT NULL,        -- file:line
  list_rule TEXT NOT NULL,     -- what the base list says of the op
  is_view INTEGER NOT NULL, in_place INTEGER NOT NULL,
  in_loop INTEGER NOT NULL,    -- one forward may run it more than once
  own_block INTEGER NOT NULL   -- the innermost of model_blocks around it; -1: none
);
CREATE TABLE model_blocks (    -- autocast blocks in the model's own code
  position INTEGER PRIMARY KEY,
  list TEXT NOT NULL,          -- the base list of its device; empty: whatever the tensors are on
  low TEXT,                    -- its format; NULL: as around it
  enabled INTEGER NOT NULL, cache_enabled INTEGER, -- NULL: as around it
  source TEXT NOT NULL,        -- file:line
  outer_block INTEGER NOT NULL -- the block around this one, which stands before it; -1: none
);
CREATE TABLE model_tensors (
  kind TEXT NOT NULL CHECK (kind IN ('parameter', 'buffer')), position INTEGER NOT NULL,
  name TEXT NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL, trainable INTEGER NOT NULL,
  PRIMARY KEY (kind, position)
) WITHOUT ROWID;
CREATE TABLE model_inputs (
  position INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, default_value TEXT NOT NULL,
  guess TEXT, guess_from TEXT  -- a shape that the layers take, and the weights that say so; NULL: none tells
);
CREATE TABLE model_warnings (position INTEGER PRIMARY KEY, text TEXT NOT NULL);

CREATE TABLE tensors (
  id INTEGER NOT NULL,
  seq INTEGER NOT NULL,        -- of the step that declared it; a later row with the same id replaces an earlier one
  position INTEGER NOT NULL,
  site INTEGER REFERENCES sites (id), -- NULL: of a parameter that no op call was seen to take
  kind TEXT NOT NULL,          -- output, output_gradient, input_gradient, input, parameter, parameter_gradient
  argument TEXT NOT NULL,      -- of a parameter its name
  format TEXT NOT NULL,        -- that holds it
  emulated INTEGER NOT NULL,
  PRIMARY KEY (id, seq)
) WITHOUT ROWID;

CREATE TABLE policies (
  seq INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
  step INTEGER NOT NULL,       -- in force from this step on
  policy TEXT NOT NULL         -- JSON as a policy file holds it
);
CREATE TABLE decisions (       -- what a policy means for each site
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
CREATE TABLE stats (
  seq INTEGER PRIMARY KEY REFERENCES steps (seq),
  tensors INTEGER NOT NULL,    -- how many are in the BLOB
  size INTEGER NOT NULL,       -- of the BLOB when decompressed
  zstd BLOB NOT NULL
);

CREATE TABLE events (
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL,
  kind TEXT NOT NULL,          -- gradient_overflow, forward_overflow, non_finite_loss
  scale REAL, sentence TEXT NOT NULL
);
CREATE TABLE event_tensors (   -- earliest in execution order first
  seq INTEGER NOT NULL REFERENCES events (seq), position INTEGER NOT NULL,
  tensor INTEGER NOT NULL, site INTEGER NOT NULL,
  non_finite INTEGER NOT NULL, overflow INTEGER NOT NULL, largest REAL,
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE event_diagnoses ( -- what a replay of the event's step found
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  verdict TEXT NOT NULL,       -- benign, forward_overflow, invalid_operation, ...
  direction TEXT NOT NULL,     -- forward, backward
  bundle TEXT NOT NULL,        -- file beside this one from which the step can be replayed; empty: none
  diagnosis TEXT NOT NULL      -- JSON: roots, chain, fix, evidence; sites by id
);
CREATE TABLE step_scales (     -- of a run with several scalers, in the order of its configuration
  seq INTEGER NOT NULL REFERENCES steps (seq), position INTEGER NOT NULL,
  scale REAL, next_scale REAL, found_inf INTEGER NOT NULL,
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE scaler_changes (  -- by a person, from `step` on
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, scale REAL,
  scaler TEXT NOT NULL         -- JSON as a run description has it
);
CREATE TABLE checkpoints (     -- the state before `step`
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, file TEXT NOT NULL,
  reason TEXT NOT NULL,        -- step, edit, end, asked
  policy_revision INTEGER NOT NULL, model TEXT NOT NULL, bytes INTEGER NOT NULL,
  saved INTEGER NOT NULL,      -- seconds since 1970
  loss REAL                    -- of the step before
);
CREATE TABLE rewinds (seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, file TEXT NOT NULL);
CREATE TABLE evaluations (seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, accuracy REAL, loss REAL);
CREATE TABLE profiles (        -- of profiled runs; means over `steps` steps from first_step to last_step
  seq INTEGER PRIMARY KEY, first_step INTEGER NOT NULL, last_step INTEGER NOT NULL, steps INTEGER NOT NULL,
  step_seconds REAL, outside REAL, -- seconds a step; outside: that no op call took
  estimate INTEGER NOT NULL    -- 1: figures of op calls are joined by least squares, not counted
);
CREATE TABLE profile_sources ( -- where a part's figures come from, from `seq` on
  part TEXT NOT NULL CHECK (part IN ('curve', 'times', 'tensor')), seq INTEGER NOT NULL,
  source TEXT NOT NULL, state TEXT NOT NULL, sentence TEXT NOT NULL, next TEXT NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY (part, seq)
) WITHOUT ROWID;
CREATE TABLE profile_bins (    -- the device's curve; percent; NULL: not measured
  seq INTEGER NOT NULL REFERENCES profiles (seq), position INTEGER NOT NULL,
  time REAL, seconds REAL, covered REAL, -- seconds since the run began; covered: share of it that was sampled
  tensor REAL, hmma REAL, imma REAL, dmma REAL, sm_active REAL, clock REAL,
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE profile_sites (   -- seconds a step; NULL: not measured
  seq INTEGER NOT NULL REFERENCES profiles (seq), site INTEGER NOT NULL REFERENCES sites (id),
  calls REAL, forward REAL, backward REAL, accumulate REAL, observe REAL,
  launches REAL, tensor REAL, tensor_error REAL, -- percent of its cycles in which tensor pipes are active
  confidence TEXT NOT NULL, emulated INTEGER NOT NULL,
  PRIMARY KEY (seq, site)
) WITHOUT ROWID;
CREATE TABLE profile_verdicts ( -- why not tensor cores, from `seq` on
  site INTEGER NOT NULL, seq INTEGER NOT NULL, verdict TEXT NOT NULL, sentence TEXT NOT NULL, edit TEXT NOT NULL,
  PRIMARY KEY (site, seq)
) WITHOUT ROWID;
CREATE TABLE profile_kernels (
  seq INTEGER NOT NULL, site INTEGER NOT NULL, position INTEGER NOT NULL,
  name TEXT NOT NULL, launches INTEGER NOT NULL, seconds REAL,
  by_name TEXT NOT NULL,       -- tensor, ordinary, unknown: what the name suggests
  PRIMARY KEY (seq, site, position)
) WITHOUT ROWID;
CREATE TABLE cast_ledgers (    -- what casts cost: the newest count of each policy revision
  seq INTEGER PRIMARY KEY, policy_revision INTEGER NOT NULL UNIQUE,
  first_step INTEGER NOT NULL, last_step INTEGER NOT NULL, steps INTEGER NOT NULL,
  step_seconds REAL            -- mean of these steps
);
CREATE TABLE cast_lines (      -- of one argument of an op call; means a step
  seq INTEGER NOT NULL REFERENCES cast_ledgers (seq), position INTEGER NOT NULL,
  site INTEGER NOT NULL REFERENCES sites (id), argument TEXT NOT NULL,
  from_format TEXT NOT NULL, to_format TEXT NOT NULL,
  casts REAL, saved REAL, bytes REAL, seconds REAL, -- saved: copies that the cast cache had already
  cause TEXT NOT NULL,
  edit TEXT NOT NULL, edit_match TEXT NOT NULL, edit_format TEXT, -- the rule that would remove it; NULL: none does
  edit_bytes REAL, edit_seconds REAL, -- what that rule adds to a step, below 0 where it saves; NULL: not tried
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE comparisons (     -- a step that ran once more in float32
  seq INTEGER PRIMARY KEY, step INTEGER NOT NULL,
  loss REAL, float32_loss REAL, scale REAL -- loss and scale: under the policy
);
CREATE TABLE comparison_sites ( -- relative errors against float32; NULL: not known
  seq INTEGER NOT NULL REFERENCES comparisons (seq), position INTEGER NOT NULL,
  site INTEGER NOT NULL REFERENCES sites (id), calls INTEGER NOT NULL,
  forward REAL, added REAL, measured INTEGER NOT NULL, -- added: came in here, and not with the arguments
  gradient REAL, cosine REAL, gradient_added REAL,
  arrived REAL, inherited REAL, -- the largest error among its arguments; error of the output from there alone
  becomes REAL, becomes_at INTEGER NOT NULL, -- the most that `added` grows to, and at which site; -1: it does not
  zeroed REAL, gradient_zeroed REAL, -- shares of the norm that became 0 here
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE comparison_notes ( -- what is to be known of the run in float32
  seq INTEGER NOT NULL REFERENCES comparisons (seq), position INTEGER NOT NULL,
  kind TEXT NOT NULL,          -- lifted_cast, low_result, parameter, buffer, input, opaque, casts_kept
  site INTEGER NOT NULL,       -- -1: at no op call
  name TEXT NOT NULL, format TEXT NOT NULL,
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE silent_reports (  -- what is wrong although nothing is infinite: of each policy revision the newest
  seq INTEGER PRIMARY KEY, policy_revision INTEGER NOT NULL,
  first_step INTEGER NOT NULL, last_step INTEGER NOT NULL,
  looked INTEGER NOT NULL,     -- of these steps, how many were looked at closely
  hidden TEXT NOT NULL         -- JSON list of sentences: what could not be seen
);
CREATE TABLE silent_faults (   -- worst first
  seq INTEGER NOT NULL REFERENCES silent_reports (seq), position INTEGER NOT NULL,
  kind TEXT NOT NULL,          -- underflow, update_lost, dead_site, loss_spike, large_logits, ...
  direction TEXT NOT NULL, site INTEGER NOT NULL, what TEXT NOT NULL, -- site -1: at no op call
  first_step INTEGER NOT NULL, last_step INTEGER NOT NULL,
  seen INTEGER NOT NULL, looked INTEGER NOT NULL, -- steps that showed it, of those looked at since the first
  amount REAL, unit TEXT NOT NULL, -- a share, 0..1, and of what
  sentence TEXT NOT NULL,
  fault TEXT NOT NULL,         -- JSON: all of it, with format, next step and fix
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE parameter_updates ( -- what the optimizer's step did to each parameter, at the newest step looked at
  seq INTEGER NOT NULL REFERENCES silent_reports (seq), position INTEGER NOT NULL,
  parameter TEXT NOT NULL, format TEXT NOT NULL, -- that stores it
  step INTEGER NOT NULL, elements INTEGER NOT NULL,
  moved INTEGER NOT NULL,      -- elements whose update is not 0
  lost INTEGER NOT NULL,       -- of these, those that stayed as they were
  lost_norm REAL,              -- the share of the update's norm that these had
  update_over_weight REAL,     -- norms
  PRIMARY KEY (seq, position)
) WITHOUT ROWID;
CREATE TABLE log (seq INTEGER PRIMARY KEY, level TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE finished (
  seq INTEGER PRIMARY KEY, outcome TEXT NOT NULL, steps INTEGER NOT NULL, message TEXT NOT NULL, hint TEXT NOT NULL
);
)sql";

// What version 2 added, empty.
void upgrade_to_2(Database& database) {
  database.run(R"sql(
CREATE TEMP TABLE step_scales (seq, position, scale, next_scale, found_inf);
CREATE TEMP TABLE scaler_changes (seq, step, scale, scaler);
CREATE TEMP TABLE checkpoints (seq, step, file, reason, policy_revision, model, bytes, saved, loss);
CREATE TEMP TABLE rewinds (seq, step, file);
)sql");
}

void upgrade_to_3(Database& database) {
  database.run("CREATE TEMP TABLE event_diagnoses (seq, verdict, direction, bundle, diagnosis)");
}

// What version 4 added, empty.
void upgrade_to_4(Database& database) {
  database.run(R"sql(
CREATE TEMP TABLE profiles (seq, first_step, last_step, steps, step_seconds, outside, estimate);
CREATE TEMP TABLE profile_sources (part, seq, source, state, sentence, next, detail);
CREATE TEMP TABLE profile_bins (seq, position, time, seconds, covered, tensor, hmma, imma, dmma, sm_active, clock);
CREATE TEMP TABLE profile_sites (seq, site, calls, forward, backward, accumulate, observe, launches, tensor,
                                 tensor_error, confidence, emulated);
CREATE TEMP TABLE profile_verdicts (site, seq, verdict, sentence, edit);
CREATE TEMP TABLE profile_kernels (seq, site, position, name, launches, seconds, by_name);
)sql");
}

// What version 5 added, empty.
void upgrade_to_5(Database& database) {
  database.run(R"sql(
CREATE TEMP TABLE cast_ledgers (seq, policy_revision, first_step, last_step, steps, step_seconds);
CREATE TEMP TABLE cast_lines (seq, position, site, argument, from_format, to_format, casts, saved, bytes, seconds,
                              cause, edit, edit_match, edit_format, edit_bytes, edit_seconds);
CREATE TEMP TABLE comparisons (seq, step, loss, float32_loss, scale);
CREATE TEMP TABLE comparison_sites (seq, position, site, calls, forward, added, measured, gradient, cosine,
                                    gradient_added, arrived, inherited, becomes, becomes_at, zeroed,
                                    gradient_zeroed);
)sql");
}

// What version 6 added, empty.
void upgrade_to_6(Database& database) {
  database.run(R"sql(
CREATE TEMP TABLE silent_reports (seq, policy_revision, first_step, last_step, looked, hidden);
CREATE TEMP TABLE silent_faults (seq, position, kind, direction, site, what, first_step, last_step, seen, looked,
                                 amount, unit, sentence, fault);
)sql");
}

// Columns of version 7, empty. (It added kinds of watched tensors too, which older files have none of.)
void upgrade_to_7(Database& database) {
  database.run(
      "CREATE TEMP VIEW cast_lines AS SELECT *, NULL AS edit_bytes, NULL AS edit_seconds FROM main.cast_lines");
}

// What version 8 added: the table empty, and of a comparison what says that no error grew.
void upgrade_to_8(Database& database, int version) {
  database.run(
      "CREATE TEMP TABLE parameter_updates (seq, position, parameter, format, step, elements, moved, lost, lost_norm, "
      "update_over_weight)");
  if (version < 5) return;  // the table itself is not there
  database.run(
      "CREATE TEMP VIEW comparison_sites AS SELECT *, 0.0 AS arrived, 0.0 AS inherited, added AS becomes, "
      "-1 AS becomes_at, 0.0 AS zeroed, NULL AS gradient_zeroed FROM main.comparison_sites");
}

// Version 9 added where the model's op calls stand and what its arguments may be.
void upgrade_to_9(Database& database) {
  database.run(R"sql(
CREATE TEMP TABLE model_blocks (position, list, low, enabled, cache_enabled, source, outer_block);
CREATE TEMP VIEW sites AS SELECT *, 0 AS in_loop, -1 AS own_block FROM main.sites;
CREATE TEMP VIEW model_inputs AS SELECT *, NULL AS guess, NULL AS guess_from FROM main.model_inputs;
)sql");
}

// Version 10 added where the run in float32 is none.
void upgrade_to_10(Database& database) {
  database.run("CREATE TEMP TABLE comparison_notes (seq, position, kind, site, name, format)");
}

}  // namespace

void upgrade(Database& database) {
  database.run("PRAGMA temp_store = MEMORY");
  const int version = std::stoi(database.value("PRAGMA user_version"));
  if (version < 2) upgrade_to_2(database);
  if (version < 3) upgrade_to_3(database);
  if (version < 4) upgrade_to_4(database);
  if (version < 5) upgrade_to_5(database);
  if (version < 6) upgrade_to_6(database);
  if (version >= 5 && version < 7) upgrade_to_7(database);  // before 5 the table itself is not there
  if (version < 8) upgrade_to_8(database, version);
  if (version < 9) upgrade_to_9(database);
  if (version < 10) upgrade_to_10(database);
}

namespace {

/// The columns of a table as `database` resolves its name, what upgrade() made included; none where there is no table.
std::set<std::string> columns_of(const Database& database, const std::string& table) {
  std::set<std::string> columns;
  try {
    Statement column(database, "SELECT name FROM pragma_table_info(?)");
    column.query(table);
    while (column.next()) columns.insert(column.text(0));
  } catch (const Error&) {
    columns.clear();  // a view of a table that is not there
  }
  return columns;
}

}  // namespace

void complete(Database& database, Damage& damage) {
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
    damage.add(database.path() + ": table " + name +
               (there.empty() ? ": it is not there" : ": it has no column " + missing));
    database.try_run("DROP VIEW IF EXISTS temp." + name);
    database.try_run("DROP TABLE IF EXISTS temp." + name);
    database.run("CREATE TEMP TABLE " + name + " (" + list + ")");
  }
}

void create_schema(Database& database) {
  // In a rollback journal, so that the file itself has its tables before the write-ahead log begins.
  database.run("PRAGMA page_size = 4096");
  database.run("BEGIN");
  database.run("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.run("PRAGMA user_version = " + std::to_string(kSchemaVersion));
  database.run(kTables);
  database.run("INSERT INTO meta VALUES ('created', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))");
  database.run("COMMIT");
}

void check_schema(const Database& database) {
  const std::string id = database.value("PRAGMA application_id");
  if (id != std::to_string(kApplicationId)) {
    const bool empty = database.value("SELECT count(*) FROM sqlite_schema") == "0";
    throw Error(ErrorCode::kBadFile,
                database.path() + (empty ? ": the run was ended before anything was recorded"
                                         : ": an SQLite database, but not a run file of Binade"),
                empty ? "" : "Open a file that ends in .binade.");
  }
  const int version = std::stoi(database.value("PRAGMA user_version"));
  if (version > kSchemaVersion) {
    throw Error(ErrorCode::kBadFile,
                database.path() + ": written by a newer Binade (tables of version " + std::to_string(version) +
                    "; this program reads up to " + std::to_string(kSchemaVersion) + ")",
                "Open it with a newer Binade, or read it with any SQLite client.");
  }
}

}  // namespace binade::record
