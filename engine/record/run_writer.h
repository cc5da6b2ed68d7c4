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
  /// Bytes that may wait for the recorder thread. Beyond it `add` waits: a run file has every step, so a disk that is
  /// slower than the training for this long slows the training down. At 200 watched tensors it is about 1,000 steps.
  std::size_t most_pending_bytes = std::size_t{256} << 20;
  /// Steps are gathered for this long into one transaction; a kill loses no more than this. Anything else (an event,
  /// a policy, the end) is committed at once, with the steps before it.
  std::chrono::milliseconds gather{100};
  /// Facts about machine and program for the table `environment`.
  std::map<std::string, std::string> environment = {};
  /// Called once, on the recorder thread, when writing fails: the disk is full, the folder has gone. It must not call
  /// the writer.
  std::function<void(const Error&)> on_failure = {};
};

/// Writes one run to a new SQLite file (docs/run-file.md) on a thread of its own. Killed at any instant, the file
/// opens and has everything up to the last commit. After a failed write the file keeps what was committed, later
/// records are dropped, and the training goes on.
///
/// `add` may be called from any thread; records are written in the order of the calls.
class RunWriter {
 public:
  /// Creates the file. Throws Error{kUsage} where something is there already (it is never overwritten), and
  /// Error{kBadFile} where it cannot be created.
  explicit RunWriter(const std::string& path, WriterOptions options = {});
  /// Closes; a failure at this point is only in on_failure.
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  /// Hands a record over; waits only as WriterOptions::most_pending_bytes says. Never throws for a failed write.
  void add(RunRecord record);

  /// Waits until everything added before is committed, or writing has failed.
  void flush();

  /// Ends the file: everything committed, write-ahead log merged, one file left (unless another program has it open:
  /// then SQLite's -wal and -shm files stay beside it, and the file is whole all the same).
  /// Throws the failure, if there was one. Further records are dropped.
  void close();

  std::optional<Error> failure() const;
  /// Steps that a kill can no longer take away.
  std::int64_t committed_steps() const;

 private:
  class Recorder;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace binade::record
