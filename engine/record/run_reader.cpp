// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_reader.h"

#include "engine/formats/error.h"
#include "engine/record/row_reader.h"
#include "engine/record/schema.h"

#include <filesystem>
#include <fstream>

namespace binade::record {

namespace {

/// SQLite's own words for these cases help nobody.
void check_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw Error(ErrorCode::kBadFile, path + ": there is no such file", "Check the path.");
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw Error(ErrorCode::kBadFile, path + ": not a file", "Name a file that ends in .binade.");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::kBadFile, path + ": cannot be read", "Check who may read it.");
  std::string head(16, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (file.gcount() == 0) {
    throw Error(ErrorCode::kBadFile, path + ": the file is empty: the run was ended before anything was recorded",
                "Delete it and record the run again.");
  }
  if (head != std::string("SQLite format 3\0", 16)) {
    throw Error(ErrorCode::kBadFile, path + ": not a run file of Binade", "Open a file that ends in .binade.");
  }
}

Database open(const std::string& path) {
  check_file(path);
  try {
    Database database(path, Database::Mode::kReadOnly);
    database.value("SELECT count(*) FROM sqlite_schema");
    return database;
  } catch (const Error&) {
    // Where nothing can be written (a read-only disk), SQLite cannot make the files it shares the log's state in.
    // Without a log there is nothing to share.
    std::error_code error;
    const auto log = std::filesystem::file_size(path + "-wal", error);
    if (!error && log > 0) throw;
  }
  return Database(path, Database::Mode::kReadOnlyUnchanging);
}

/// One state of the file for as long as it lives, while the engine writes on.
class Snapshot {
 public:
  explicit Snapshot(Database& database) : database_(database) { database_.run("BEGIN"); }
  ~Snapshot() { database_.try_run("COMMIT"); }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Database& database_;
};

std::vector<std::int64_t> positions(const Database& database, const std::string& table) {
  Statement row(database, "SELECT seq FROM " + table + " ORDER BY seq");
  row.query();
  std::vector<std::int64_t> all;
  while (row.next()) all.push_back(row.integer(0));
  return all;
}

}  // namespace

struct RunReader::File {
  explicit File(const std::string& path) : database(open(path)) {
    check_schema(database);
    upgrade(database);
  }

  Database database;
  // Prepared at first use: in the constructor's list the tables are not yet known to be there.
  std::optional<RowReader> prepared;

  RowReader& rows() {
    if (!prepared) prepared.emplace(database);
    return *prepared;
  }

  template <class T>
  std::vector<T> all(const std::string& table, T (RowReader::*read)(std::int64_t)) {
    const Snapshot snapshot(database);
    std::vector<T> result;
    for (const std::int64_t seq : positions(database, table)) result.push_back((rows().*read)(seq));
    return result;
  }
};

RunReader::RunReader(const std::string& path) : file_(std::make_unique<File>(path)) {}
RunReader::~RunReader() = default;
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;

std::optional<wire::RunStarted> RunReader::started() const {
  auto all = file_->all("run", &RowReader::started);
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

std::optional<wire::Finished> RunReader::finished() const {
  auto all = file_->all("finished", &RowReader::finished);
  return all.empty() ? std::nullopt : std::optional(std::move(all.back()));
}

std::int64_t RunReader::step_count() const {
  return std::stoll(file_->database.value("SELECT count(*) FROM steps"));
}

std::optional<wire::StepRecord> RunReader::step(std::int64_t step) const {
  const Snapshot snapshot(file_->database);
  Statement row(file_->database, "SELECT max(seq) FROM steps WHERE step = ?");
  row.query(step);
  if (!row.next() || row.is_null(0)) return std::nullopt;
  return file_->rows().step(row.integer(0), true);
}

std::vector<wire::WatchedTensor> RunReader::tensors() const {
  return read_tensors(file_->database);
}

std::vector<wire::PolicyApplied> RunReader::policies() const {
  return file_->all("policies", &RowReader::policy);
}

std::vector<wire::Event> RunReader::events() const {
  return file_->all("events", &RowReader::event);
}

std::vector<wire::Evaluated> RunReader::evaluations() const {
  return file_->all("evaluations", &RowReader::evaluation);
}

std::vector<wire::CheckpointInfo> RunReader::checkpoints() const {
  return file_->all("checkpoints", &RowReader::checkpoint);
}

std::vector<wire::ScalerChanged> RunReader::scaler_changes() const {
  return file_->all("scaler_changes", &RowReader::scaler_change);
}

std::vector<wire::LogLine> RunReader::log() const {
  return file_->all("log", &RowReader::log_line);
}

std::vector<wire::Profile> RunReader::profiles() const {
  return file_->all("profiles", &RowReader::profile);
}

std::vector<wire::CastLedger> RunReader::casts() const {
  return file_->all("cast_ledgers", &RowReader::casts);
}

std::vector<wire::Float32Comparison> RunReader::comparisons() const {
  return file_->all("comparisons", &RowReader::comparison);
}

std::vector<wire::SilentReport> RunReader::silent_reports() const {
  return file_->all("silent_reports", &RowReader::silent);
}

std::map<std::string, std::string> RunReader::environment() const {
  Statement row(file_->database, "SELECT key, value FROM environment");
  row.query();
  std::map<std::string, std::string> all;
  while (row.next()) all[row.text(0)] = row.text(1);
  return all;
}

std::int64_t RunReader::replay(const std::function<bool(Item&&)>& take, std::int64_t after, bool observations) const {
  const Snapshot snapshot(file_->database);
  // The policy of the start is part of RunStarted.
  Statement row(file_->database,
                "SELECT seq, 'run' FROM run WHERE seq > ?1"
                " UNION ALL SELECT seq, 'policies' FROM policies WHERE seq > ?1 AND seq NOT IN (SELECT seq FROM run)"
                " UNION ALL SELECT seq, 'steps' FROM steps WHERE seq > ?1"
                " UNION ALL SELECT seq, 'events' FROM events WHERE seq > ?1"
                " UNION ALL SELECT seq, 'evaluations' FROM evaluations WHERE seq > ?1"
                " UNION ALL SELECT seq, 'scaler_changes' FROM scaler_changes WHERE seq > ?1"
                " UNION ALL SELECT seq, 'checkpoints' FROM checkpoints WHERE seq > ?1"
                " UNION ALL SELECT seq, 'rewinds' FROM rewinds WHERE seq > ?1"
                " UNION ALL SELECT seq, 'log' FROM log WHERE seq > ?1"
                " UNION ALL SELECT seq, 'finished' FROM finished WHERE seq > ?1"
                " UNION ALL SELECT seq, 'profiles' FROM profiles WHERE seq > ?1"
                " UNION ALL SELECT seq, 'cast_ledgers' FROM cast_ledgers WHERE seq > ?1"
                " UNION ALL SELECT seq, 'comparisons' FROM comparisons WHERE seq > ?1"
                " UNION ALL SELECT seq, 'silent_reports' FROM silent_reports WHERE seq > ?1"
                " ORDER BY 1");
  row.query(after);
  while (row.next()) {
    const std::int64_t seq = row.integer(0);
    Item item = file_->rows().item(row.text(1), seq, observations);
    after = seq;
    if (!take(std::move(item))) break;
  }
  return after;
}

const std::string& RunReader::path() const {
  return file_->database.path();
}

}  // namespace binade::record
