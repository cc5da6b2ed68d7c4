// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace binade::app {

/// Computes beside the GUI thread: runs tasks in their order on one thread of its own. A task shares no data with the
/// GUI thread. It gets copies, and posts whole results, which are delivered on the GUI thread in their order. Results
/// that are no longer wanted are dropped. Functions are called on the GUI thread unless stated otherwise.
class Worker : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMostWaiting = 256;

  /// What a task can use of the worker, on the worker's thread and only while the task runs.
  class Caller {
   public:
    /// Returns whether the task's results are still wanted.
    bool isWaiting() const { return worker_->generation_ == generation_; }
    /// Has `deliver` called on the GUI thread. Does nothing if results are no longer wanted.
    void post(std::function<void()> deliver) const;

   private:
    friend class Worker;
    Caller(Worker* worker, quint64 generation) : worker_(worker), generation_(generation) {}

    Worker* worker_;
    quint64 generation_;
  };
  /// Throws nothing.
  using Task = std::function<void(const Caller& caller)>;

  explicit Worker(QObject* parent = nullptr);
  /// Cancels, and waits for the task that runs.
  ~Worker() override;

  /// Adds a task. Blocks while kMostWaiting tasks are waiting, so that a fast source of tasks cannot exhaust memory.
  void run(Task task);
  /// Drops all tasks and results. A task that runs is asked to end, and what it still posts is dropped.
  void cancel();

 Q_SIGNALS:
  /// A result was posted; emitted on the worker's thread.
  void posted();

 private:
  struct Waiting {
    quint64 generation;
    Task task;
  };

  void work();
  void deliver();

  // What the threads share is passed under this lock. Signals carry no values.
  std::mutex mutex_;
  std::condition_variable task_added_;
  std::condition_variable task_taken_;
  std::deque<Waiting> tasks_;
  std::deque<std::function<void()>> results_;
  std::atomic<quint64> generation_ = 0;  ///< number of times results became unwanted; changes under the lock
  bool ending_ = false;
  std::thread thread_;  ///< started by the first task
};

}  // namespace binade::app
