// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_record.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace binade::record {

/// The queue of records for the recorder thread, bounded in bytes. It has one consumer and any number of producers.
class RecordQueue {
 public:
  explicit RecordQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Adds a record. Blocks while the queue is full; a single record always fits. Returns false, and drops the record,
  /// if the queue is closed.
  bool put(RunRecord record);

  /// Returns all records. Blocks until there is one. If there are only steps, collects more of them for up to `gather`.
  /// Returns an empty vector once the queue is closed and empty.
  std::vector<RunRecord> take(std::chrono::milliseconds gather);

  /// The consumer calls this when it has processed all records that it took.
  void done();
  /// Blocks until all records added so far have been processed, or the queue is closed.
  void wait_until_done();
  /// Closes the queue: later records are rejected, and all blocked calls return. If `drop`, queued records are
  /// discarded.
  void close(bool drop);

 private:
  std::mutex mutex_;
  std::condition_variable filled_;   ///< the consumer waits for it
  std::condition_variable emptied_;  ///< put() and wait_until_done() wait for it
  std::vector<RunRecord> records_;
  std::size_t bytes_ = 0;
  std::size_t most_bytes_;
  bool urgent_ = false;  ///< take() must not collect further steps
  bool busy_ = false;    ///< the consumer is processing records
  bool closed_ = false;
};

}  // namespace binade::record
