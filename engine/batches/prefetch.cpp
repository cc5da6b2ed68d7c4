// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/prefetch.h"

#include <pthread.h>

#include <ATen/core/grad_mode.h>
#include <c10/util/ParallelGuard.h>

#include <algorithm>

namespace binade::batches {

namespace {

Batch copy_of(Batch batch) {
  for (c10::IValue& input : batch.inputs) input = input.deepcopy();
  for (auto& [name, target] : batch.targets) target = target.clone();
  return batch;
}

}  // namespace

Prefetched::Prefetched(std::unique_ptr<BatchSource> source, std::int64_t ahead)
    : source_(std::move(source)),
      ahead_(static_cast<std::size_t>(ahead)),
      wanted_(ahead_),
      cursor_(source_->cursor()) {}

Prefetched::~Prefetched() {
  stop();
}

Prefetched::Made Prefetched::made_now() {
  Made made;
  try {
    made.batch = source_->next();
  } catch (...) {
    made.error = std::current_exception();
  }
  return made;
}

void Prefetched::make_batches() {
  pthread_setname_np(pthread_self(), "prefetch");
  // The cores belong to the step: LibTorch would start a second team of threads for this one.
  const c10::ParallelGuard serial(true);
  const at::NoGradGuard no_history;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || made_.size() < wanted_; });
      if (stopping_) return;
    }
    Made made = made_now();
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
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
    stopping_ = false;
  }
  made_.clear();
}

void Prefetched::wait_for(std::size_t count, std::unique_lock<std::mutex>& lock) {
  if (thread_.joinable()) {
    changed_.wait(lock, [&] { return made_.size() >= count || last_failed(); });
  } else {
    while (made_.size() < count && !last_failed()) made_.push_back(made_now());
  }
}

Batch Prefetched::next() {
  // A caller that takes one batch and rewinds should not wait for the following ones.
  if (!thread_.joinable() && going_on_ && !last_failed()) thread_ = std::thread([this] { make_batches(); });
  going_on_ = true;
  Made made;
  {
    std::unique_lock lock(mutex_);
    wait_for(1, lock);
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

Batch Prefetched::peek(std::int64_t ahead) {
  const auto count = static_cast<std::size_t>(ahead) + 1;
  Made seen;
  {
    std::unique_lock lock(mutex_);
    wanted_ = std::max(ahead_, count);
    changed_.notify_all();
    wait_for(count, lock);
    wanted_ = ahead_;
    seen = made_.size() >= count ? made_[count - 1] : made_.back();
  }
  if (seen.error) std::rethrow_exception(seen.error);
  return copy_of(std::move(seen.batch));
}

void Prefetched::seek(std::int64_t cursor) {
  stop();
  source_->seek(cursor);
  cursor_ = cursor;
  going_on_ = false;
}

}  // namespace binade::batches
