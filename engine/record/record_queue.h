// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_record.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace binade::record {

/// What waits for the recorder thread: bounded in bytes, one taker, any number of givers.
class RecordQueue {
 public:
  explicit RecordQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Waits while the queue is full (one record always fits); false once it is closed: the record is dropped.
  bool put(RunRecord record);

  /// Waits for records; where there are only steps, goes on gathering for `gather`. Empty: closed, and nothing is left.
  std::vector<RunRecord> take(std::chrono::milliseconds gather);

  /// The taker has dealt with everything it took.
  void done();
  /// Waits until everything put before is dealt with, or the queue is closed.
  void wait_until_done();
  /// Nothing more can be put, and nobody waits any longer. With `drop`, what waits is dropped too.
  void close(bool drop);

 private:
  std::mutex mutex_;
  std::condition_variable filled_;   ///< the taker waits for it
  std::condition_variable emptied_;  ///< givers and flushers wait for it
  std::vector<RunRecord> records_;
  std::size_t bytes_ = 0;
  std::size_t most_bytes_;
  bool urgent_ = false;  ///< something waits that is no step, or somebody waits for the end
  bool busy_ = false;    ///< the taker holds records
  bool closed_ = false;
};

}  // namespace binade::record
