// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_reader.h"

#include "engine/formats/error.h"
#include "engine/record/check_run_file.h"
#include "engine/record/row_reader.h"
#include "engine/record/rows.h"
#include "engine/record/schema.h"
#include "engine/record/step_parts.h"
#include "engine/wire/run_gate.h"

#include <filesystem>
#include <map>
#include <utility>
#include <variant>

namespace binade::record {

namespace {

Database open(const std::string& path) {
  check_run_file(path);
  try {
    Database database(path, Database::Mode::kReadOnly);
    database.value("SELECT count(*) FROM sqlite_schema");
    return database;
  } catch (const Error&) {
    // On a read-only disk SQLite cannot create the files in which it shares the log's state. Without a log they are not
    // needed.
    std::error_code error;
    const auto log = std::filesystem::file_size(path + "-wal", error);
    if (!error && log > 0) throw;
  }
  return Database(path, Database::Mode::kReadOnlyUnchanging);
}

/// A snapshot of the file during its lifetime, while the engine may continue to write.
class Snapshot {
 public:
  explicit Snapshot(Database& database) : database_(database) { database_.run("BEGIN"); }
  ~Snapshot() { database_.try_run("COMMIT"); }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Database& database_;
};

std::vector<std::int64_t> positions(const Database& database, const std::string& table, const std::string& where) {
  Statement row(database, "SELECT seq FROM " + table + " " + where + " ORDER BY seq");
  std::vector<std::int64_t> all;
  while (row.next()) all.push_back(row.integer(0));
  return all;
}

/// Returns the table of one of a record's lists; nothing for fields in the record's own row.
const char* table_of_list(const std::string& table, const std::string& list) {
  static const std::map<std::string, const char*> kTables{
      {"decisions", "decisions"}, {"findings", "findings"}, {"new_tensors", "tensors"}, {"tensors", "event_tensors"}};
  if (table == table_of<wire::Profile>() && list == "sites") return "profile_sites";
  if (list == "ranks") return table == table_of<wire::StepRecord>() ? "step_ranks" : "ranks";
  const auto found = kTables.find(list);
  return found == kTables.end() ? nullptr : found->second;
}

/// Selects every record but steps after position ?1, with its index in kRecordTables.
std::string others_in_order() {
  std::string sql;
  for (std::size_t kind = 0; kind < kRecordTables.size(); ++kind) {
    const std::string table = kRecordTables[kind];
    if (table == table_of<wire::StepRecord>()) continue;
    sql += (sql.empty() ? "" : " UNION ALL ") + ("SELECT seq, " + std::to_string(kind)) + " FROM " + table +
           " WHERE seq > ?1";
    // The first policy is part of RunStarted.
    if (table == table_of<wire::PolicyApplied>()) sql += " AND seq NOT IN (SELECT seq FROM run)";
  }
  return sql + " ORDER BY 1";
}

}  // namespace

struct RunReader::File {
  File(const std::string& path, Damage* report_to)
      : database(open(path)),
        rows(database, report_to),
        damage(report_to),
        gate([this](const wire::Misfit& misfit) { report(misfit); }) {
    check_schema(database);
    if (damage != nullptr) complete(database, *damage);
  }

  Database database;
  RowReader rows;
  Damage* damage;
  wire::RunGate gate;           // used only if `damage` is given
  const char* table = nullptr;  // table of the record that the gate checks
  bool json = false;            // the record is one JSON object
  std::int64_t position = 0;

  void report(const wire::Misfit& misfit) const {
    const char* own = table_of_list(table, misfit.list);
    std::string line = std::string("table ") + (own == nullptr ? table : own) +
                       (own == nullptr ? ", position " : ", row " + std::to_string(misfit.index + 1) + " of position ");
    line += std::to_string(position) + ", column ";
    line += json && own == nullptr ? "json: " + misfit.text() : misfit.field + " " + misfit.what;
    damage->add(database.path() + ": " + line);
  }

  /// Returns whether the record, or the valid part of it, can be shown.
  template <class T>
  bool admit(T& value, std::int64_t seq) {
    if (damage == nullptr) return true;
    table = table_of<T>();
    json = JsonRecord<T>;
    position = seq;
    return gate.admit(value);
  }

  /// `where`: a clause that chooses rows; empty: all.
  template <class T>
  std::vector<T> all(const std::string& where = {}) {
    const Snapshot snapshot(database);
    std::vector<T> result;
    for (const std::int64_t seq : positions(database, table_of<T>(), where)) {
      attempt(damage, [&] {
        T value = rows.read<T>(seq);
        if (admit(value, seq)) result.push_back(std::move(value));
      });
    }
    return result;
  }

  /// Reports rows that no read from the first position on would reach.
  void report_outside() const {
    for (const std::string each : kRecordTables) {
      Statement row(database, "SELECT seq FROM " + each + " WHERE seq < 1 LIMIT 1");
      if (!row.next()) continue;
      damage->add(database.path() + ": table " + each + ", column seq: " + std::to_string(row.integer(0)) +
                  " is not a position");
    }
  }
};

RunReader::RunReader(const std::string& path) : file_(std::make_unique<File>(path, nullptr)) {}
RunReader::RunReader(const std::string& path, Damage& damage) : file_(std::make_unique<File>(path, &damage)) {}
RunReader::~RunReader() = default;
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;

std::optional<std::int64_t> RunReader::created() const {
  Statement row(file_->database, "SELECT CAST(strftime('%s', value) AS INTEGER) FROM meta WHERE key = 'created'");
  if (!row.next() || row.is_null(0)) return std::nullopt;
  return row.integer(0);
}

std::optional<wire::RunStarted> RunReader::started() const {
  auto all = file_->all<wire::RunStarted>();
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

std::optional<wire::StepRecord> RunReader::step(std::int64_t step) const {
  const Snapshot snapshot(file_->database);
  Statement row(file_->database, "SELECT max(seq) FROM steps WHERE step = ?");
  row.query(step);
  if (!row.next() || row.is_null(0)) return std::nullopt;
  return file_->rows.read<wire::StepRecord>(row.integer(0));
}

std::vector<wire::Event> RunReader::events() const {
  return file_->all<wire::Event>();
}

std::vector<wire::Trial> RunReader::trials() const {
  return file_->all<wire::Trial>();
}

std::vector<wire::CheckpointInfo> RunReader::checkpoints() const {
  return file_->all<wire::CheckpointInfo>(
      "WHERE NOT EXISTS (SELECT 1 FROM rewinds WHERE rewinds.seq > checkpoints.seq AND rewinds.step < "
      "checkpoints.step)");
}

std::map<std::string, std::string> RunReader::environment() const {
  std::map<std::string, std::string> all;
  Statement row(file_->database, "SELECT key, value FROM meta UNION ALL SELECT key, value FROM environment");
  while (row.next()) all.insert_or_assign(row.text(0), row.text(1));
  return all;
}

std::vector<std::int64_t> RunReader::observed_steps() const {
  std::vector<std::int64_t> all;
  Statement row(file_->database, "SELECT DISTINCT step FROM steps JOIN stats USING (seq) ORDER BY step");
  while (row.next()) all.push_back(row.integer(0));
  return all;
}

std::int64_t RunReader::observations() const {
  Statement row(file_->database, "SELECT coalesce(sum(tensors), 0) FROM stats");
  return row.next() ? row.integer(0) : 0;
}

std::int64_t RunReader::replay(const std::function<bool(RunRecord&&)>& take, std::int64_t after,
                               Statistics statistics) const {
  const Snapshot snapshot(file_->database);
  if (file_->damage != nullptr && after == 0) file_->report_outside();
  // Steps are most of a file: their table is read once from start to end, beside a query of all others.
  const StepParts parts(file_->database, after, statistics);
  const auto observed = [&](std::int64_t seq) {
    return statistics == Statistics::kAll || (statistics == Statistics::kNewest && seq == parts.stats.last());
  };
  Statement steps(file_->database,
                  std::string("SELECT ") + kStepColumns + ", seq FROM steps WHERE seq > ?1 ORDER BY seq");
  constexpr int kSeq = 11;
  Statement others(file_->database, others_in_order());
  steps.query(after);
  others.query(after);
  bool step = steps.next(), other = others.next(), more = true;
  while (more && (step || other)) {
    const bool is_step = step && (!other || steps.integer(kSeq) < others.integer(0));
    const std::int64_t seq = is_step ? steps.integer(kSeq) : others.integer(0);
    std::optional<RunRecord> record;
    attempt(file_->damage, [&] {
      if (is_step) {
        record = file_->rows.step(Row(file_->database, steps, "steps", seq), seq, parts, observed(seq));
      } else {
        record = file_->rows.record(static_cast<std::size_t>(others.integer(1)), seq);
      }
    });
    const auto fits = [&](auto& value) { return file_->admit(value, seq); };
    if (record && std::visit(fits, *record)) more = take(std::move(*record));
    after = seq;
    if (is_step) {
      step = steps.next();
    } else {
      other = others.next();
    }
  }
  return after;
}

}  // namespace binade::record
