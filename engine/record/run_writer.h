// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/record/run_record.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace binade::record {

struct WriterOptions {
  /// Largest size of the queued records in bytes. If it is reached, `add` blocks: since a run file has every step, a
  /// slow disk then slows down the training. With 200 watched tensors the queue holds about 1,000 steps.
  std::size_t most_pending_bytes = std::size_t{256} << 20;
  /// Steps within this time are committed in one transaction; a crash loses no more than that. All other records
  /// (events, policies, the end) are committed at once, with the preceding steps.
  std::chrono::milliseconds gather{100};
  /// Properties of the machine and the program, for the table `environment`.
  std::map<std::string, std::string> environment = {};
  /// Called once, on the recorder thread, if writing fails, for example because the disk is full. It must not call the
  /// writer.
  std::function<void(const Error&)> on_failure = {};
};

/// Writes one run to a new SQLite file (docs/run-file.md) on a separate thread. After a crash at any time, the file is
/// readable and has everything up to the last commit. If a write fails, the committed records remain, later records are
/// dropped, and the training continues.
///
/// `add` may be called from any thread; records are written in the order of the calls. Other processes may add Tries
/// to the file meanwhile (append.h).
class RunWriter {
 public:
  /// Creates the file. Throws Error{kUsage} if the path exists (files are never overwritten), and Error{kBadFile} if
  /// the file cannot be created.
  explicit RunWriter(const std::string& path, WriterOptions options = {});
  /// Closes the file. A failure is reported to on_failure only.
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  /// Queues a record. Blocks only if WriterOptions::most_pending_bytes is reached. Does not throw if a write failed.
  void add(RunRecord record);

  /// Blocks until all records added so far are committed, or writing has failed.
  void flush();

  /// Commits all records, merges the write-ahead log and closes the file. If another program has the file open,
  /// SQLite's -wal and -shm files remain next to it. Throws the failure, if there was one. Further records are dropped.
  void close();

  std::optional<Error> failure() const;
  /// Number of committed steps.
  std::int64_t committed_steps() const;

 private:
  class Recorder;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace binade::record
