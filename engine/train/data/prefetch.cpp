// SPDX-License-Identifier: Apache-2.0
#include "engine/train/data/prefetch.h"

#include <pthread.h>

#include <ATen/core/grad_mode.h>
#include <c10/util/ParallelGuard.h>

namespace binade::train {

Prefetched::Prefetched(std::unique_ptr<BatchSource> source, std::int64_t ahead)
    : source_(std::move(source)), ahead_(static_cast<std::size_t>(ahead)), cursor_(source_->cursor()) {}

Prefetched::~Prefetched() {
  stop();
}

void Prefetched::make_batches() {
  pthread_setname_np(pthread_self(), "prefetch");
  // The cores belong to the step: LibTorch would start a second team of threads for this one.
  const c10::ParallelGuard serial(true);
  const at::NoGradGuard no_history;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || made_.size() < ahead_; });
      if (stopping_) return;
    }
    Made made;
    try {
      made.batch = source_->next();
    } catch (...) {
      made.error = std::current_exception();
    }
    const bool failed = made.error != nullptr;
    {
      const std::lock_guard lock(mutex_);
      made_.push_back(std::move(made));
    }
    changed_.notify_all();
    if (failed) return;
  }
}

void Prefetched::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  stopping_ = false;
  made_.clear();
}

Batch Prefetched::next() {
  if (!thread_.joinable() && !going_on_) {
    // Whoever looks at one batch and goes back should not pay for those behind it.
    Batch batch = source_->next();
    ++cursor_;
    going_on_ = true;
    return batch;
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { make_batches(); });
  Made made;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !made_.empty(); });
    made = std::move(made_.front());
    made_.pop_front();
  }
  changed_.notify_all();
  if (made.error) {
    seek(cursor_);  // asking again gives the same error
    std::rethrow_exception(made.error);
  }
  ++cursor_;
  return std::move(made.batch);
}

void Prefetched::seek(std::int64_t cursor) {
  stop();
  source_->seek(cursor);
  cursor_ = cursor;
  going_on_ = false;
}

}  // namespace binade::train
