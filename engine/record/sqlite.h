// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace binade::record {

/// Bytes to bind as a BLOB; a string is bound as TEXT.
struct Blob {
  std::string_view bytes;
};

/// A connection, for one thread at a time. Every failure throws Error{kBadFile} with a message that begins with the
/// file's name.
class Database {
 public:
  enum class Mode { kReadWrite, kReadOnly, kReadOnlyUnchanging };

  /// kReadOnly also completes or undoes what a killed process left half done, which needs write permission.
  Database(const std::string& path, Mode mode);

  /// Runs statements that return no rows.
  void run(const std::string& sql);
  /// Returns the first value of the first row as text; empty if there is none.
  std::string value(const std::string& sql) const;
  /// Like run(), but returns false instead of throwing. For clean-up after a failure.
  bool try_run(const std::string& sql) noexcept;

  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_.get(); }
  [[noreturn]] void fail(int code) const;

 private:
  /// A reader cannot undo the journal of a killed process: a connection that may write does it.
  void recover();
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A prepared statement. NaN is bound as NULL, since SQLite cannot store it, and NULL is read as NaN.
class Statement {
 public:
  Statement(const Database& database, const std::string& sql);

  /// Binds all values and runs the statement to its end; for INSERT and UPDATE.
  template <class... Values>
  void run(const Values&... values) {
    query(values...);
    while (next()) {
    }
  }

  /// Binds all values; next() then moves to each row.
  template <class... Values>
  void query(const Values&... values) {
    reset();
    int index = 0;
    (bind(++index, values), ...);
  }

  bool next();
  /// Ends a query before its last row. An open query keeps its snapshot of the file.
  void reset();

  enum class Type { kInteger, kReal, kText, kBlob, kNull };
  /// Returns the type that SQLite stores. Call it before the value is read, which may convert it.
  Type type(int column) const;
  std::string column(int column) const;  ///< its name
  bool is_null(int column) const { return type(column) == Type::kNull; }
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  /// Valid until the next `next`.
  std::string_view bytes(int column) const;

 private:
  void bind(int index, std::int64_t value);
  void bind(int index, int value) { bind(index, std::int64_t{value}); }
  void bind(int index, bool value) { bind(index, std::int64_t{value}); }
  void bind(int index, std::uint64_t value) { bind(index, static_cast<std::int64_t>(value)); }
  void bind(int index, double value);
  void bind(int index, float value) { bind(index, double{value}); }
  void bind(int index, std::string_view value);
  void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
  void bind(int index, const char* value) { bind(index, std::string_view(value)); }
  void bind(int index, Blob value);
  void bind(int index, std::nullopt_t);
  template <class T>
  void bind(int index, const std::optional<T>& value) {
    value ? bind(index, *value) : bind(index, std::nullopt);
  }

  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// A cache of prepared statements, each prepared at its first use. A statement must not be requested while it is in
/// use.
class Statements {
 public:
  explicit Statements(const Database& database) : database_(database) {}

  /// `sql` must be a literal, since it is identified by its address.
  Statement& operator[](const char* sql) { return kept_.try_emplace(sql, database_, sql).first->second; }

 private:
  const Database& database_;
  std::map<const char*, Statement> kept_;
};

}  // namespace binade::record
