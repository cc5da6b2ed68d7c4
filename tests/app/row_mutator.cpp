// SPDX-License-Identifier: Apache-2.0
#include "tests/app/row_mutator.h"

#include "engine/record/run_writer.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <sqlite3.h>

#include <QFile>

#include <map>

namespace binade::test {

namespace {

void writeFindings(record::RunWriter& writer, FakeRun& fake, std::int64_t step) {
  writer.add(diagnosed(step, wire::Event::Kind::kGradientOverflow, 1024, benignOverflow(1024)));
  writer.add(diagnosed(step, wire::Event::Kind::kForwardOverflow, 1024, forwardOverflow()));
  writer.add(cpuProfile(0, step));
  writer.add(lifelikeProfile(0, step));
  writer.add(casts(0, 0));
  writer.add(casts(1, 20));
  writer.add(comparison(step));
  writer.add(silentReport());
  writer.add(wire::ScalerChanged{step, fake.started().config.scaler, 4096});
  writer.add(wire::CheckpointInfo{"a.safetensors", step, "request", 1, "sample:cnn", 4096, 1'790'000'000, 0.5});
  writer.add(wire::LogLine{"info", "said"});
  writer.add(wire::Evaluated{step, 0.875, 0.3});
}

using Columns = std::map<std::string, std::vector<std::string>>;

void writeWhole(const QString& path) {
  const QByteArray whole = wholeRunFile();
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(whole) != whole.size()) qFatal("no file");
}

/// Tables and their columns.
const Columns& columns() {
  static const Columns all = [] {
    Columns found;
    // Each test function has a folder of its own: the file is not where it was first made.
    const QString path = temporaryFolder() + QStringLiteral("/columns.binade");
    writeWhole(path);
    sqlite3* database = nullptr;
    sqlite3_open(path.toUtf8().constData(), &database);
    const auto add = [](void* into, int, char** values, char**) {
      (*static_cast<Columns*>(into))[values[0]].emplace_back(values[1]);
      return 0;
    };
    sqlite3_exec(database,
                 "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'",
                 add, &found, nullptr);
    sqlite3_close(database);
    if (found.size() < 20) qFatal("the whole run file has %d tables", static_cast<int>(found.size()));
    return found;
  }();
  return all;
}

}  // namespace

QByteArray wholeRunFile() {
  static const QByteArray bytes = [] {
    const QString path = temporaryFolder() + QStringLiteral("/whole.binade");
    FakeRun fake;
    record::RunWriter writer(path.toStdString());
    writer.add(fake.started());
    for (int i = 0; i < 60; ++i) {
      if (i == 20) {
        policy::Policy edited;
        edited.sites.push_back({.match = "conv1/aten::conv2d#0",
                                .call = {},
                                .format = formats::kBFloat16,
                                .backward = {},
                                .overflow = {},
                                .why = {}});
        writer.add(fake.setPolicy(edited, 1));
      }
      writer.add(fake.next());
      if (fake.event() != nullptr) writer.add(*fake.event());
      if (i == 40) writeFindings(writer, fake, i);
    }
    writer.add(wire::Rewound{60, "a.safetensors"});
    writer.add(wire::Finished{wire::Outcome::kCompleted, 60, "", ""});
    writer.close();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }();
  return bytes;
}

std::string RowMutator::value() {
  static const std::vector<std::string> kValues{"0",
                                                "1",
                                                "-1",
                                                "-2",
                                                "7",
                                                "1000",
                                                "1000000000",
                                                "2147483647",
                                                "2147483648",
                                                "-2147483648",
                                                "9007199254740993",
                                                "9223372036854775807",
                                                "-9223372036854775808",
                                                "0.5",
                                                "-0.0",
                                                "1e308",
                                                "-1e308",
                                                "9e999",
                                                "-9e999",
                                                "5e-324",
                                                "NULL",
                                                "''",
                                                "'x'",
                                                "'1'",
                                                "'float16'",
                                                "'[]'",
                                                "'{}'",
                                                "CAST(x'ff00fe' AS TEXT)",
                                                "x''",
                                                "x'00ff'",
                                                "zeroblob(100000)",
                                                "printf('%.*c', 20000, 'a')"};
  return one(kValues);
}

std::string RowMutator::rows(const std::string& table) {
  const std::string& first = columns().at(table).front();
  switch (draw(3)) {
    case 0:
      return "";
    case 1: {
      // Some, drawn by the seed alone: SQLite's random() would make another file each time.
      const std::string& by = one(columns().at(table));
      return " WHERE (length(quote(" + by + ")) * 7 + unicode(substr(quote(" + by + "), -2)) + " +
             std::to_string(draw(4)) + ") % 4 = 0";
    }
    default:
      return " WHERE " + first + " = (SELECT " + first + " FROM " + table + " LIMIT 1 OFFSET " +
             std::to_string(draw(20)) + ")";
  }
}

std::string RowMutator::change() {
  auto at = columns().begin();
  std::advance(at, static_cast<long>(draw(columns().size())));
  const std::string& table = at->first;
  const std::string& column = one(at->second);
  const std::string set = "UPDATE OR REPLACE " + table + " SET " + column + " = ";
  switch (draw(12)) {
    case 0:
      return "DROP TABLE " + table;
    case 1:
      return "ALTER TABLE " + table + " DROP COLUMN " + column;
    case 2:
      return "DELETE FROM " + table + rows(table);
    case 3:
      return "INSERT OR REPLACE INTO " + table + " SELECT * FROM " + table + rows(table);
    case 4:
      // Without types and constraints, so that anything may stand anywhere.
      return "CREATE TABLE loose AS SELECT * FROM " + table + "; DROP TABLE " + table +
             "; ALTER TABLE loose RENAME TO " + table + "; UPDATE " + table + " SET " + column + " = " + value() +
             rows(table) + "; INSERT INTO " + table + " SELECT * FROM " + table + rows(table);
    case 5:
      return set + column + " * 1000000000" + rows(table);
    case 6:
      return set + column + " + " + std::to_string(1 + draw(5)) + rows(table);
    case 7:
      return set + "-" + column + rows(table);
    case 8:
      return set + "substr(" + column + ", 1, length(" + column + ") / " + std::to_string(1 + draw(4)) + ")" +
             rows(table);
    case 9:  // numbers inside JSON
      return set + "replace(" + column + ", '" + std::to_string(draw(10)) + "', '" +
             one<std::string>({"-9", "9999999999", "1e400", "null", "[1]"}) + "')" + rows(table);
    default:
      return set + value() + rows(table);
  }
}

std::string RowMutator::write(const QString& path) {
  writeWhole(path);
  std::string all;
  sqlite3* database = nullptr;
  sqlite3_open(path.toUtf8().constData(), &database);
  sqlite3_exec(database, "PRAGMA ignore_check_constraints = 1; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF",
               nullptr, nullptr, nullptr);
  for (auto changes = 1 + draw(3); changes > 0; --changes) {
    const std::string sql = change();
    // What the file itself refuses is no change.
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) all += sql + ";\n";
  }
  sqlite3_close(database);
  return all;
}

}  // namespace binade::test
