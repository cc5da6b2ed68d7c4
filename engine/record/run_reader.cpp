// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_reader.h"

#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/record/row_reader.h"
#include "engine/record/rows.h"
#include "engine/record/schema.h"
#include "engine/wire/run_gate.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <variant>

namespace binade::record {

namespace {

/// SQLite's own words for these cases help nobody.
void check_file(const std::string& path) {
  check_input_file(path);
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

/// The tables in which an item's lists lie.
std::string table_of(const std::string& table, const std::string& list) {
  static const std::map<std::pair<std::string, std::string>, std::string> kTables{
      {{"run", "decisions"}, "decisions"},
      {{"run", "findings"}, "findings"},
      {{"policies", "decisions"}, "decisions"},
      {{"policies", "findings"}, "findings"},
      {{"steps", "new_tensors"}, "tensors"},
      {{"events", "tensors"}, "event_tensors"},
      {{"profiles", "bins"}, "profile_bins"},
      {{"profiles", "sites"}, "profile_sites"},
      {{"cast_ledgers", "lines"}, "cast_lines"},
      {{"comparisons", "sites"}, "comparison_sites"},
      {{"comparisons", "reference"}, "comparison_notes"},
      {{"silent_reports", "faults"}, "silent_faults"},
      {{"silent_reports", "updates"}, "parameter_updates"},
  };
  const auto found = kTables.find({table, list});
  return found == kTables.end() ? table : found->second;
}

}  // namespace

struct RunReader::File {
  File(const std::string& path, Damage* told)
      : database(open(path)), damage(told), gate([this](const wire::Misfit& misfit) { tell(misfit); }) {
    check_schema(database);
    upgrade(database);
    if (damage != nullptr) complete(database, *damage);
  }

  Database database;
  Damage* damage;
  wire::RunGate gate;  // of those who read what can be read
  std::string table;   // where the item came from that stands at the gate
  std::int64_t position = 0;
  // Prepared at first use: in the constructor's list the tables are not yet known to be there.
  std::optional<RowReader> prepared;

  RowReader& rows() {
    if (!prepared) prepared.emplace(database, damage);
    return *prepared;
  }

  void tell(const wire::Misfit& misfit) const {
    std::string place = "table " + table_of(table, misfit.list);
    place += misfit.list.empty() ? ", position " : ", row " + std::to_string(misfit.index + 1) + " of position ";
    damage->add(database.path() + ": " + place + std::to_string(position) + ", column " + misfit.field + " " +
                misfit.what);
  }

  /// Whether the item, or what is left of it, can be shown.
  template <class Value>
  bool admit(Value& value, const std::string& from, std::int64_t seq) {
    if (damage == nullptr) return true;
    table = from;
    position = seq;
    return gate.admit(value);
  }

  template <class T>
  std::vector<T> all(const std::string& from, T (RowReader::*read)(std::int64_t)) {
    const Snapshot snapshot(database);
    std::vector<T> result;
    for (const std::int64_t seq : positions(database, from)) {
      attempt(damage, [&] {
        T value = (rows().*read)(seq);
        if (admit(value, from, seq)) result.push_back(std::move(value));
      });
    }
    return result;
  }

  /// Rows that a reader from the first position on would never meet.
  void tell_outside() const {
    for (const char* each :
         {"run", "policies", "steps", "events", "evaluations", "scaler_changes", "checkpoints", "rewinds", "log",
          "finished", "profiles", "cast_ledgers", "comparisons", "silent_reports"}) {
      Statement row(database, std::string("SELECT seq FROM ") + each + " WHERE seq < 1 LIMIT 1");
      row.query();
      if (row.next()) {
        damage->add(database.path() + ": table " + each + ", column seq: " + std::to_string(row.integer(0)) +
                    " is no position");
      }
    }
  }
};

RunReader::RunReader(const std::string& path) : file_(std::make_unique<File>(path, nullptr)) {}
RunReader::RunReader(const std::string& path, Damage& damage) : file_(std::make_unique<File>(path, &damage)) {}
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
  if (file_->damage != nullptr && after == 0) file_->tell_outside();
  bool more = true;
  while (more && row.next()) {
    const std::int64_t seq = row.integer(0);
    after = seq;
    const std::string table = row.text(1);
    std::optional<Item> item;
    attempt(file_->damage, [&] { item = file_->rows().item(table, seq, observations); });
    const auto fits = [&](auto& value) { return file_->admit(value, table, seq); };
    if (item && std::visit(fits, *item)) more = take(std::move(*item));
  }
  return after;
}

const std::string& RunReader::path() const {
  return file_->database.path();
}

}  // namespace binade::record
