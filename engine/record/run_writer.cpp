// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_writer.h"

#include "engine/confine/file_broker.h"
#include "engine/formats/file_refusal.h"
#include "engine/record/record_queue.h"
#include "engine/record/row_writer.h"
#include "engine/record/schema.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace binade::record {

namespace {

constexpr int kLongestWait = 60'000;  // milliseconds for another process that writes; it needs a few

/// Claims the path: if two engines are given the same one, only one succeeds.
void create_empty(const std::string& path) {
  const int descriptor = confine::open_file(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor >= 0) {
    ::close(descriptor);
    return;
  }
  const int why = errno;
  if (why == EEXIST) {
    throw Error(ErrorCode::kUsage, path + " already exists, and a run file is never overwritten",
                "Choose another file with run_file or --run-file FILE, or move the existing file.");
  }
  const FileRefusal refusal =
      file_refusal(path, why, FileUse::kWrite,
                   why == ENOENT ? "Create the folder first." : "Choose a folder with write permission.");
  throw Error(ErrorCode::kBadFile, path + ": the run file cannot be created: " + refusal.reason, refusal.hint);
}

Database create(const std::string& path, const std::map<std::string, std::string>& environment) {
  create_empty(path);
  try {
    Database database(path, Database::Mode::kReadWrite);
    create_schema(database);
    // NORMAL: a commit survives a crash of the process. After a power failure the newest commits may be missing, but
    // never incomplete.
    database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = NORMAL");
    database.run("PRAGMA busy_timeout = " + std::to_string(kLongestWait));
    database.run("BEGIN");
    Statement fact(database, "INSERT INTO environment VALUES (?, ?)");
    for (const auto& [key, value] : environment) fact.run(key, value);
    database.run("COMMIT");
    return database;
  } catch (...) {
    for (const char* side : {"", "-wal", "-shm"})
      confine::unlink_file((path + side).c_str());  // also SQLite's own, which a full disk leaves behind
    throw;
  }
}

}  // namespace

class RunWriter::Recorder {
 public:
  Recorder(const std::string& path, WriterOptions options)
      : options_(std::move(options)),
        database_(create(path, options_.environment)),
        rows_(database_),
        queue_(options_.most_pending_bytes),
        thread_([this] { work(); }) {}

  ~Recorder() { end(); }

  void end() {
    queue_.close(false);
    if (thread_.joinable()) thread_.join();
  }

  void record_failure(const Error& error) {
    {
      const std::lock_guard lock(mutex_);
      if (failure_) return;
      failure_ = error;
    }
    // Report the failure before close() wakes the waiting threads, so that they can read it.
    if (options_.on_failure) options_.on_failure(error);
    queue_.close(true);
  }

  std::optional<Error> failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

  RecordQueue& queue() { return queue_; }
  std::int64_t committed_steps() const { return committed_; }
  const std::string& path() const { return database_.path(); }

 private:
  void work() {
    try {
      for (auto records = queue_.take(options_.gather); !records.empty(); records = queue_.take(options_.gather)) {
        write(records);
        queue_.done();
      }
      if (!failure()) make_one_file();
    } catch (const Error& error) {
      record_failure(error);
    } catch (const std::exception& error) {
      record_failure(Error(ErrorCode::kInternal, path() + ": the recorder failed: " + error.what()));
    }
    if (failure()) database_.try_run("ROLLBACK");
  }

  void write(const std::vector<RunRecord>& records) {
    std::int64_t steps = 0;
    database_.run("BEGIN IMMEDIATE");
    pass_others();
    for (const RunRecord& record : records) {
      rows_.write(record);
      if (std::holds_alternative<wire::StepRecord>(record)) ++steps;
    }
    database_.run("COMMIT");
    committed_ += steps;
  }

  /// Another process may have added records since the last transaction.
  void pass_others() {
    std::string version = database_.value("PRAGMA data_version");
    if (version == version_) return;
    version_ = std::move(version);
    rows_.continue_after(newest_position(database_));
  }

  void make_one_file() {
    database_.run("PRAGMA wal_checkpoint(TRUNCATE)");
    // Fails while another program has the file open. The log then remains a separate file, and no data is lost.
    database_.try_run("PRAGMA busy_timeout = 200");
    database_.try_run("PRAGMA journal_mode = DELETE");
  }

  WriterOptions options_;
  Database database_;
  RowWriter rows_;
  std::string version_;  ///< of the data, which changes when another connection writes
  RecordQueue queue_;
  std::atomic<std::int64_t> committed_ = 0;
  mutable std::mutex mutex_;
  std::optional<Error> failure_;
  std::thread thread_;
};

RunWriter::RunWriter(const std::string& path, WriterOptions options)
    : recorder_(std::make_unique<Recorder>(path, std::move(options))) {}

RunWriter::~RunWriter() = default;

void RunWriter::add(RunRecord record) {
  recorder_->queue().put(std::move(record));
}
void RunWriter::flush() {
  recorder_->queue().wait_until_done();
}

void RunWriter::close() {
  recorder_->end();
  if (auto error = failure()) throw Error(*error);
}

std::optional<Error> RunWriter::failure() const {
  return recorder_->failure();
}
std::int64_t RunWriter::committed_steps() const {
  return recorder_->committed_steps();
}

}  // namespace binade::record
