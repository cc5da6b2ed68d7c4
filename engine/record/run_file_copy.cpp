// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_file_copy.h"

#include "engine/formats/cache_folders.h"
#include "engine/formats/error.h"
#include "engine/record/schema.h"
#include "engine/record/sqlite.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

namespace binade::record {

namespace {

namespace fs = std::filesystem;

constexpr int kPagesAtOnce = 256;

/// An empty file in the best cache folder. Throws Error{kBadFile} if none takes one.
std::string new_scratch_file() {
  std::vector<fs::path> folders = cache_folders();
  std::error_code failed;
  folders.push_back(fs::temp_directory_path(failed));
  for (const fs::path& folder : folders) {
    if (folder.empty()) continue;
    fs::create_directories(folder, failed);
    std::string name = (folder / "copy-XXXXXX").string();
    const int file = ::mkostemp(name.data(), O_CLOEXEC);  // for this user only
    if (file < 0) continue;
    ::close(file);
    return name;
  }
  throw Error(ErrorCode::kBadFile, "There is no folder for a copy of the run file",
              "Set XDG_CACHE_HOME to a folder with write permission.");
}

}  // namespace

struct RunFileCopy::State {
  explicit State(const std::string& path) : source(path, Database::Mode::kReadOnly) {}
  ~State() {
    backup.reset();
    copy.reset();
    if (!scratch.empty()) ::unlink(scratch.c_str());
    if (file >= 0) ::close(file);
  }

  struct FinishBackup {
    void operator()(sqlite3_backup* each) const { sqlite3_backup_finish(each); }
  };

  Database source;
  std::string scratch;  ///< name of the copy while it is being made
  std::unique_ptr<Database> copy;
  std::unique_ptr<sqlite3_backup, FinishBackup> backup;
  int file = -1;  ///< the complete copy, which has no name any more
  std::int64_t size = 0;
  double prepared = 0;
};

RunFileCopy::RunFileCopy(const std::string& path) {
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) {
    throw Error(ErrorCode::kBadFile, path + " is missing, or is not a file", "Name a file with the ending .binade.");
  }
  state_ = std::make_unique<State>(path);
  check_schema(state_->source);
  // In an open transaction the backup sees one state, and does not begin again after each write of a training.
  state_->source.run("BEGIN");
  static_cast<void>(state_->source.value("SELECT count(*) FROM sqlite_schema"));
}

RunFileCopy::~RunFileCopy() = default;

bool RunFileCopy::advance(std::chrono::milliseconds duration) {
  State& state = *state_;
  if (state.file >= 0) return true;
  if (!state.backup) {
    state.scratch = new_scratch_file();
    state.copy = std::make_unique<Database>(state.scratch, Database::Mode::kReadWrite);
    // An interrupted copy is removed, so it needs no journal.
    state.copy->run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    state.backup.reset(sqlite3_backup_init(state.copy->handle(), "main", state.source.handle(), "main"));
    if (!state.backup) state.copy->fail(sqlite3_errcode(state.copy->handle()));
  }
  const auto end = std::chrono::steady_clock::now() + duration;
  int code = SQLITE_OK;
  while (code == SQLITE_OK && std::chrono::steady_clock::now() < end) {
    code = sqlite3_backup_step(state.backup.get(), kPagesAtOnce);
  }
  const int all = sqlite3_backup_pagecount(state.backup.get());
  if (all > 0) state.prepared = 1 - static_cast<double>(sqlite3_backup_remaining(state.backup.get())) / all;
  if (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED) return false;
  if (code != SQLITE_DONE) {
    throw Error(ErrorCode::kBadFile, state.source.path() + " cannot be copied: " + std::string(sqlite3_errstr(code)),
                (code & 0xff) == SQLITE_FULL ? "Free some space in the cache folder." : "Open another copy of it.");
  }
  state.backup.reset();
  state.source.try_run("COMMIT");
  state.copy.reset();  // writes what it holds
  state.file = ::open(state.scratch.c_str(), O_RDONLY | O_CLOEXEC);
  const int failed = errno;
  ::unlink(state.scratch.c_str());
  struct stat found {};
  if (state.file < 0 || ::fstat(state.file, &found) != 0) {
    throw Error(ErrorCode::kBadFile, state.scratch + " cannot be read: " + std::strerror(failed));
  }
  state.scratch.clear();
  state.size = static_cast<std::int64_t>(found.st_size);
  state.prepared = 1;
  return true;
}

double RunFileCopy::prepared() const {
  return state_->prepared;
}

std::int64_t RunFileCopy::size() const {
  return state_->size;
}

std::string RunFileCopy::read(std::int64_t offset, std::int64_t bytes) const {
  std::string part(static_cast<std::size_t>(bytes), '\0');
  std::size_t filled = 0;
  while (filled < part.size()) {
    const ssize_t count = ::pread(state_->file, part.data() + filled, part.size() - filled,
                                  static_cast<off_t>(offset + static_cast<std::int64_t>(filled)));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw Error(ErrorCode::kBadFile, std::string("The copy of the run file cannot be read: ") + std::strerror(errno));
    }
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  part.resize(filled);
  return part;
}

}  // namespace binade::record
