// SPDX-License-Identifier: Apache-2.0
#include "app/session/worker.h"

#include <utility>

namespace binade::app {

Worker::Worker(QObject* parent) : QObject(parent) {
  connect(this, &Worker::posted, this, &Worker::deliver, Qt::QueuedConnection);
}

Worker::~Worker() {
  cancel();
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  task_added_.notify_one();
  thread_.join();
}

void Worker::run(Task task) {
  if (!thread_.joinable()) thread_ = std::thread(&Worker::work, this);
  {
    std::unique_lock lock(mutex_);
    task_taken_.wait(lock, [this] { return tasks_.size() < kMostWaiting; });
    tasks_.push_back({generation_, std::move(task)});
  }
  task_added_.notify_one();
}

void Worker::cancel() {
  const std::lock_guard lock(mutex_);
  ++generation_;
  tasks_.clear();
  results_.clear();
}

void Worker::work() {
  while (true) {
    std::unique_lock lock(mutex_);
    task_added_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
    if (ending_) return;
    const Waiting next = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task_taken_.notify_one();
    next.task(Caller(this, next.generation));
  }
}

void Worker::Caller::post(std::function<void()> deliver) const {
  {
    const std::lock_guard lock(worker_->mutex_);
    if (!isWaiting()) return;
    worker_->results_.push_back(std::move(deliver));
  }
  Q_EMIT worker_->posted();
}

// One result for each signal: other events get their turn between two, and a result may run an event loop or delete
// the worker.
void Worker::deliver() {
  std::function<void()> result;
  {
    const std::lock_guard lock(mutex_);
    if (results_.empty()) return;  // cancelled since
    result = std::move(results_.front());
    results_.pop_front();
  }
  result();
}

}  // namespace binade::app
