// SPDX-License-Identifier: Apache-2.0
#include "engine/record/record_queue.h"

namespace binade::record {

namespace {

/// Returns the approximate size of a record in memory. Only steps are large and numerous.
std::size_t bytes_of(const RunRecord& record) {
  const auto* step = std::get_if<wire::StepRecord>(&record);
  if (step == nullptr) return sizeof(RunRecord);
  return sizeof(RunRecord) + step->observations.capacity() * sizeof(wire::Observation) +
         step->new_tensors.capacity() * sizeof(wire::WatchedTensor);
}

}  // namespace

bool RecordQueue::put(RunRecord record) {
  const std::size_t size = bytes_of(record);
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [&] { return closed_ || bytes_ == 0 || bytes_ + size <= most_bytes_; });
  if (closed_) return false;
  bytes_ += size;
  const bool step = std::holds_alternative<wire::StepRecord>(record);
  // Records are taken without delay once the queue is half full.
  urgent_ = urgent_ || !step || bytes_ > most_bytes_ / 2;
  const bool wake = urgent_ || records_.empty();
  records_.push_back(std::move(record));
  lock.unlock();
  if (wake) filled_.notify_one();
  return true;
}

std::vector<RunRecord> RecordQueue::take(std::chrono::milliseconds gather) {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, [&] { return closed_ || !records_.empty(); });
  filled_.wait_for(lock, gather, [&] { return closed_ || urgent_; });
  std::vector<RunRecord> taken = std::move(records_);
  records_.clear();
  bytes_ = 0;
  urgent_ = false;
  busy_ = !taken.empty();
  lock.unlock();
  emptied_.notify_all();
  return taken;
}

void RecordQueue::done() {
  {
    const std::lock_guard lock(mutex_);
    busy_ = false;
  }
  emptied_.notify_all();
}

void RecordQueue::wait_until_done() {
  std::unique_lock lock(mutex_);
  urgent_ = true;
  filled_.notify_one();
  emptied_.wait(lock, [&] { return closed_ || (records_.empty() && !busy_); });
}

void RecordQueue::close(bool drop) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    if (drop) records_.clear();
  }
  filled_.notify_all();
  emptied_.notify_all();
}

}  // namespace binade::record
