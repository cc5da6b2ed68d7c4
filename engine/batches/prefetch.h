// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/batches.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace binade::batches {

/// Makes the next batches on a thread of its own while the last one trains, from the second one in a row on. The
/// batches, the cursor and the place of an error are those of the source: what was made ahead and not taken counts for
/// nothing, and seek() throws it away.
class Prefetched : public BatchSource {
 public:
  /// At most `ahead` (1 or more) batches wait.
  Prefetched(std::unique_ptr<BatchSource> source, std::int64_t ahead);
  /// Waits for the batch that is being made.
  ~Prefetched() override;

  Batch next() override;
  std::int64_t cursor() const override { return cursor_; }
  void seek(std::int64_t cursor) override;
  Batch peek(std::int64_t ahead) override;
  std::int64_t test_batches() const override { return source_->test_batches(); }
  Batch test_batch(std::int64_t index) const override { return source_->test_batch(index); }
  const std::vector<TargetInfo>& targets() const override { return source_->targets(); }
  std::int64_t examples() const override { return source_->examples(); }
  std::int64_t test_examples() const override { return source_->test_examples(); }

 private:
  struct Made {
    Batch batch;
    std::exception_ptr error;
  };
  void make_batches();
  Made made_now();
  bool last_failed() const { return !made_.empty() && made_.back().error != nullptr; }
  /// Until `count` are made, or one failed, which is the last then.
  void wait_for(std::size_t count, std::unique_lock<std::mutex>& lock);
  void stop();

  std::unique_ptr<BatchSource> source_;  ///< the thread's while there is one, but for const functions
  const std::size_t ahead_;
  std::size_t wanted_;  ///< how many may wait: more than `ahead_` while somebody looks farther
  std::int64_t cursor_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Made> made_;
  bool stopping_ = false;
  bool going_on_ = false;  ///< a batch was taken since the last seek()
  std::thread thread_;
};

}  // namespace binade::batches
