// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/worker.h"

#include "engine/graph/prints.h"

namespace binade::host {

Worker::Worker() : thread_([this] { work(); }) {}

Worker::~Worker() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
    jobs_.clear();
  }
  changed_.notify_one();
  thread_.join();
}

void Worker::post(std::function<void()> job) {
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void Worker::work() {
  graph::print_to_standard_error();
  for (;;) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
      if (closing_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

}  // namespace binade::host
