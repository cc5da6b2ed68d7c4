// SPDX-License-Identifier: Apache-2.0
#include "engine/record/sqlite.h"

#include "engine/confine/file_broker.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"

#include <sqlite3.h>

#include <cmath>
#include <limits>

namespace binade::record {

namespace {

constexpr int kBusyMilliseconds = 5000;
constexpr int kLongestCell = 256 << 20;  // bytes; the description of a model with 10,000 op calls takes some millions

/// Returns a path as a URI, which SQLite requires for parameters.
std::string uri(const std::string& path, const char* parameter) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string result = "file:";
  for (const unsigned char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      result += {'%', kHex[c >> 4], kHex[c & 15]};
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + "?" + parameter;
}

int open_by_sqlite(const char* path, int flags, int mode) {
  return confine::open_file(path, flags, static_cast<unsigned>(mode));
}

/// In a confined process, the process that started it opens the run file and what SQLite keeps beside it. SQLite offers
/// this exchange of single system calls for such uses.
void use_broker() {
  static const bool done = [] {
    sqlite3_vfs* const files = sqlite3_vfs_find(nullptr);
    if (files == nullptr || files->iVersion < 3 || files->xSetSystemCall == nullptr) return false;
    files->xSetSystemCall(files, "open", reinterpret_cast<sqlite3_syscall_ptr>(open_by_sqlite));
    files->xSetSystemCall(files, "unlink", reinterpret_cast<sqlite3_syscall_ptr>(confine::unlink_file));
    return true;
  }();
  static_cast<void>(done);
}

std::string hint_for(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "The disk is full. Free some space, then try again.";
    case SQLITE_IOERR:
      return "The disk is full or failed.";
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return "Check that the folder exists and has write permission.";
    case SQLITE_BUSY:
      return "Another program uses the file. Close it and try again.";
    default:
      return {};
  }
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}
void Statement::Finalize::operator()(sqlite3_stmt* handle) const {
  sqlite3_finalize(handle);
}

Database::Database(const std::string& path, Mode mode) : path_(path) {
  const int flags = mode == Mode::kReadWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  const std::string name = uri(path, mode == Mode::kReadOnlyUnchanging ? "immutable=1" : "immutable=0");
  use_broker();
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  // Run files are untrusted: forbid functions in the schema, views and triggers, and check cells before they are used.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestCell);
  try_run("PRAGMA cell_size_check = ON");
  if (mode == Mode::kReadOnly) recover();
}

void Database::recover() {
  const int code = sqlite3_exec(handle_.get(), "PRAGMA schema_version", nullptr, nullptr, nullptr);
  if (code != SQLITE_READONLY_ROLLBACK && code != SQLITE_READONLY_RECOVERY) return;  // any other is met by the query
  Database writer(path_, Mode::kReadWrite);
  writer.try_run("PRAGMA schema_version");
}

void Database::fail(int code) const {
  const std::string what = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
  if ((code & 0xff) == SQLITE_ERROR) {  // a missing table or column
    throw Error(ErrorCode::kBadFile, path_ + ": the file is damaged, or was not written by Binade: " + what,
                "Use a complete copy, or record the run again.");
  }
  if ((code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB) {
    throw Error(ErrorCode::kBadFile, path_ + " is damaged: SQLite reports \"" + what + "\"",
                "The file was truncated or changed. Use a complete copy, or record the run again.");
  }
  const int reason = handle_ ? sqlite3_system_errno(handle_.get()) : 0;
  const FileRefusal why = file_refusal(path_, reason, FileUse::kRead, hint_for(code));
  throw Error(ErrorCode::kBadFile, path_ + ": " + what, why.hint);
}

void Database::run(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

bool Database::try_run(const std::string& sql) noexcept {
  return sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::string Database::value(const std::string& sql) const {
  Statement statement(*this, sql);
  return statement.next() ? statement.text(0) : std::string();
}

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()), &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) database.fail(code);
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
}

bool Statement::next() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(code);
  reset();  // ends the open read or write of the statement
  return false;
}

void Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(handle_.get(), index, value);
}
void Statement::bind(int index, double value) {
  sqlite3_bind_double(handle_.get(), index, value);
}

void Statement::bind(int index, std::string_view value) {
  sqlite3_bind_text64(handle_.get(), index, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Statement::bind(int index, Blob value) {
  sqlite3_bind_blob64(handle_.get(), index, value.bytes.data(), value.bytes.size(), SQLITE_TRANSIENT);
}

void Statement::bind(int index, std::nullopt_t) {
  sqlite3_bind_null(handle_.get(), index);
}

Statement::Type Statement::type(int column) const {
  switch (sqlite3_column_type(handle_.get(), column)) {
    case SQLITE_INTEGER:
      return Type::kInteger;
    case SQLITE_FLOAT:
      return Type::kReal;
    case SQLITE_TEXT:
      return Type::kText;
    case SQLITE_BLOB:
      return Type::kBlob;
    default:
      return Type::kNull;
  }
}

std::string Statement::column(int column) const {
  const char* name = sqlite3_column_name(handle_.get(), column);
  return name == nullptr ? std::string() : name;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double Statement::real(int column) const {
  return is_null(column) ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(handle_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

std::string_view Statement::bytes(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

}  // namespace binade::record
