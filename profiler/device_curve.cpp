// SPDX-License-Identifier: Apache-2.0
#include "profiler/device_curve.h"

#include <algorithm>

namespace binade::profiler {

DeviceCurve::DeviceCurve(std::unique_ptr<SampleSource> source, const Options& options)
    : source_(std::move(source)),
      options_(options),
      kind_(source_->source()),
      metric_(source_->metric()),
      poll_(source_->poll()),
      interval_(std::max(options.interval, source_->shortest())),
      thread_([this] { run(); }) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return begun_; });
}

DeviceCurve::~DeviceCurve() {
  stop();
}

void DeviceCurve::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void DeviceCurve::run() {
  {
    Status begun = source_->start(interval_);
    const std::lock_guard lock(mutex_);
    status_ = std::move(begun);
    counts_.interval_seconds = 1e-9 * static_cast<double>(interval_.count());
    begun_ = true;
  }
  changed_.notify_all();
  bool going = status().ok();
  auto next = std::chrono::steady_clock::now();
  while (going) {
    next += poll_;
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_until(lock, next, [this] { return stopping_; })) break;
    }
    going = poll();
  }
  source_->stop();
  drained_.clear();
  source_->drain(drained_);
  keep(drained_);
  {
    std::vector<Bin> last;
    folder_.finish(last);
    const std::lock_guard lock(mutex_);
    bins_.insert(bins_.end(), last.begin(), last.end());
    if (status_.code == Code::kRunning || status_.code == Code::kOverflow)
      status_ = profiler::status(Code::kOff, " any more");
  }
  source_.reset();
}

bool DeviceCurve::poll() {
  const auto start = std::chrono::steady_clock::now();
  drained_.clear();
  const Drained drained = source_->drain(drained_);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  keep(drained_);
  {
    const std::lock_guard lock(mutex_);
    counts_.samples += drained_.size();
    counts_.discarded += drained.discarded;
    counts_.decode_seconds += seconds;
    counts_.longest_decode = std::max(counts_.longest_decode, seconds);
    if (drained.lost) status_ = *drained.lost;
  }
  if (drained.lost) return false;
  return !drained.overflow || restart();
}

void DeviceCurve::keep(const std::vector<Sample>& samples) {
  std::vector<Bin> finished;
  std::size_t gaps = 0;
  for (const Sample& sample : samples) {
    folder_.add(sample, finished);
    if (last_end_ != 0 && sample.start > last_end_ + static_cast<std::uint64_t>(interval_.count())) ++gaps;
    last_end_ = sample.end;
  }
  const std::lock_guard lock(mutex_);
  counts_.gaps += gaps;
  bins_.insert(bins_.end(), finished.begin(), finished.end());
  while (bins_.size() > options_.kept_bins) bins_.pop_front();
  if (options_.kept_samples == 0) return;
  samples_.insert(samples_.end(), samples.begin(), samples.end());
  while (samples_.size() > options_.kept_samples) samples_.pop_front();
}

bool DeviceCurve::restart() {
  const double lost_at = 1e-3 * static_cast<double>(interval_.count());
  const auto microseconds = [](double value) { return std::to_string(static_cast<int>(value)) + " µs"; };
  source_->stop();
  drained_.clear();
  source_->drain(drained_);
  keep(drained_);
  if (interval_ * 2 > options_.longest_interval) {
    const std::lock_guard lock(mutex_);
    status_ = profiler::status(Code::kLost, "the load is too high even for a sample every " + microseconds(lost_at));
    return false;
  }
  interval_ *= 2;
  last_end_ = 0;
  Status begun = source_->start(interval_);
  const std::lock_guard lock(mutex_);
  ++counts_.restarts;
  counts_.interval_seconds = 1e-9 * static_cast<double>(interval_.count());
  status_ = begun.ok()
                ? profiler::status(Code::kOverflow, "the load is too high for one every " + microseconds(lost_at) +
                                                        "; going on at " + microseconds(2 * lost_at))
                : begun;
  return begun.ok();
}

Status DeviceCurve::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::vector<Bin> DeviceCurve::take_bins() {
  const std::lock_guard lock(mutex_);
  std::vector<Bin> taken(bins_.begin(), bins_.end());
  bins_.clear();
  return taken;
}

std::vector<Sample> DeviceCurve::take_samples() {
  const std::lock_guard lock(mutex_);
  std::vector<Sample> taken(samples_.begin(), samples_.end());
  samples_.clear();
  return taken;
}

CurveCounts DeviceCurve::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace binade::profiler
