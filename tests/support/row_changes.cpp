// SPDX-License-Identifier: Apache-2.0
#include "tests/support/row_changes.h"

#include <sqlite3.h>

#include <iterator>

namespace binade::test {

namespace {

std::map<std::string, std::vector<std::string>> columns_of(sqlite3* database) {
  std::map<std::string, std::vector<std::string>> found;
  const auto add = [](void* into, int, char** values, char**) {
    if (values[0] != nullptr && values[1] != nullptr) {
      (*static_cast<std::map<std::string, std::vector<std::string>>*>(into))[values[0]].emplace_back(values[1]);
    }
    return 0;
  };
  sqlite3_exec(database,
               "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'",
               add, &found, nullptr);
  return found;
}

}  // namespace

std::string RowChanges::value() {
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

std::string RowChanges::rows(const std::string& table) {
  const std::string& first = columns_.at(table).front();
  switch (draw(3)) {
    case 0:
      return "";
    case 1: {
      // Some, drawn by the seed alone: SQLite's random() would make another file each time.
      const std::string& by = one(columns_.at(table));
      return " WHERE (length(quote(" + by + ")) * 7 + unicode(substr(quote(" + by + "), -2)) + " +
             std::to_string(draw(4)) + ") % 4 = 0";
    }
    default:
      return " WHERE " + first + " = (SELECT " + first + " FROM " + table + " LIMIT 1 OFFSET " +
             std::to_string(draw(20)) + ")";
  }
}

std::string RowChanges::change() {
  auto at = columns_.begin();
  std::advance(at, static_cast<long>(draw(columns_.size())));
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

std::string RowChanges::change(const std::string& path) {
  std::string all;
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  sqlite3_exec(database, "PRAGMA ignore_check_constraints = 1; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF",
               nullptr, nullptr, nullptr);
  columns_ = columns_of(database);
  for (auto changes = 1 + draw(3); changes > 0 && !columns_.empty(); --changes) {
    const std::string sql = change();
    // What the file itself refuses is no change.
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) all += sql + ";\n";
  }
  sqlite3_close(database);
  return all;
}

}  // namespace binade::test
