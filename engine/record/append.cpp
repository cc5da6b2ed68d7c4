// SPDX-License-Identifier: Apache-2.0
#include "engine/record/append.h"

#include "engine/formats/error.h"
#include "engine/record/check_run_file.h"
#include "engine/record/row_writer.h"
#include "engine/record/run_record.h"
#include "engine/record/schema.h"

#include <filesystem>
#include <functional>
#include <string>
#include <system_error>

namespace binade::record {

namespace {

/// Where the run has not begun, its first record still needs the first position.
std::int64_t newest_of_begun(const Database& database) {
  const std::int64_t newest = newest_position(database);
  if (newest == 0) {
    throw Error(ErrorCode::kBadFile, database.path() + ": the run has not begun, so nothing can be added to its file",
                "Wait until it makes steps. If it ended before that, delete the file.");
  }
  return newest;
}

/// Makes one file of file and log, unless another connection is open: the log then stays, and no data is lost.
void make_one_file(Database& database) {
  database.try_run("PRAGMA busy_timeout = 0");
  database.try_run("PRAGMA journal_mode = DELETE");
}

/// Calls `write` in a transaction that excludes other writers.
void in_transaction(const std::string& path, const std::function<void(Database&)>& write) {
  std::error_code unknown;
  // SQLite would say of a folder or a missing file that it cannot open it.
  if (!std::filesystem::is_regular_file(path, unknown)) check_run_file(path);
  try {
    Database database(path, Database::Mode::kReadWrite);
    database.run("PRAGMA busy_timeout = 30000");
    check_schema(database);
    // With a log: if this process is killed, readers, who never write, can use the log, but not undo a journal. Fails
    // while another process changes the mode; the transaction waits for that.
    database.try_run("PRAGMA journal_mode = WAL");
    try {
      database.run("BEGIN IMMEDIATE");
      write(database);
      database.run("COMMIT");
    } catch (...) {
      database.try_run("ROLLBACK");
      make_one_file(database);
      throw;
    }
    make_one_file(database);
  } catch (const Error&) {
    check_run_file(path);  // only now, since it takes away locks of this process
    throw;
  }
}

}  // namespace

void check_appendable(const std::string& path) {
  in_transaction(path, [](Database& database) {
    newest_of_begun(database);
    Statement(database, "DELETE FROM tries WHERE seq = 0").run();  // there is no such row
  });
}

std::int64_t append(const std::string& path, const wire::Trial& trial, std::int64_t replaced) {
  std::int64_t position = 0;
  in_transaction(path, [&](Database& database) {
    RowWriter rows(database);
    rows.continue_after(newest_of_begun(database));
    if (replaced != 0) Statement(database, "DELETE FROM tries WHERE seq = ?").run(replaced);
    rows.write(trial);
    position = rows.seq();
  });
  return position;
}

std::int64_t append(const std::string& path, const wire::Note& note) {
  std::int64_t position = 0;
  in_transaction(path, [&](Database& database) {
    RowWriter rows(database);
    rows.continue_after(newest_of_begun(database));
    rows.write(note);
    position = rows.seq();
  });
  return position;
}

}  // namespace binade::record
