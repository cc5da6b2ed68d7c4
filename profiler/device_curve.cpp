// SPDX-License-Identifier: Apache-2.0
#include "profiler/device_curve.h"

#include <algorithm>
#include <utility>

namespace binade::profiler {

DeviceCurve::DeviceCurve(std::unique_ptr<SampleSource> source, const Options& options,
                         std::unique_ptr<SampleSource> instead)
    : source_(std::move(source)),
      instead_(std::move(instead)),
      options_(options),
      interval_(options.interval),
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
  bool going = begin();
  {
    const std::lock_guard lock(mutex_);
    begun_ = true;
  }
  changed_.notify_all();
  auto next = std::chrono::steady_clock::now();
  while (going) {
    next += source_->poll();
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_until(lock, next, [this] { return stopping_; })) break;
    }
    going = poll();
  }
  finish_source();
  {
    std::vector<Bin> last;
    folder_.finish(last);
    const std::lock_guard lock(mutex_);
    bins_.insert(bins_.end(), last.begin(), last.end());
    if (state_.status.code == Code::kRunning || state_.status.code == Code::kOverflow)
      state_.status = profiler::status(Code::kOff, " any more");
  }
  source_.reset();
  instead_.reset();
}

bool DeviceCurve::begin() {
  interval_ = std::max(options_.interval, source_->shortest());
  last_end_ = 0;
  const Status begun = source_->start(interval_);
  {
    const std::lock_guard lock(mutex_);
    counts_.interval_seconds = 1e-9 * static_cast<double>(interval_.count());
    state_.status = begun;
    state_.source = source_->source();
    state_.metric = source_->metric();
  }
  return begun.ok() || fall_back(begun);
}

bool DeviceCurve::fall_back(const Status& why) {
  if (instead_) {
    finish_source();
    const CurveState before = state();
    source_ = std::exchange(instead_, nullptr);
    options_.kept_samples = 0;
    const bool goes_on = begin();
    const std::lock_guard lock(mutex_);
    samples_.clear();
    if (goes_on) {
      state_.given_up = why;
      return true;
    }
    state_ = before;  // why the first source was lost is more informative than why there is no other
  }
  const std::lock_guard lock(mutex_);
  state_.status = why;
  return false;
}

bool DeviceCurve::poll() {
  const auto start = std::chrono::steady_clock::now();
  drained_.clear();
  const Drained drained = source_->drain(drained_);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  keep(drained_);
  {
    const std::lock_guard lock(mutex_);
    counts_.discarded += drained.discarded;
    counts_.decode_seconds += seconds;
    counts_.longest_decode = std::max(counts_.longest_decode, seconds);
  }
  if (drained.lost) return fall_back(*drained.lost);
  return !drained.overflow || restart();
}

void DeviceCurve::finish_source() {
  source_->stop();
  drained_.clear();
  source_->drain(drained_);
  keep(drained_);
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
  counts_.samples += samples.size();
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
  finish_source();
  const bool longer = interval_ * 2 <= options_.longest_interval;
  Status begun = profiler::status(Code::kLost, "the load is too high even for a sample every " + microseconds(lost_at));
  if (longer) {
    interval_ *= 2;
    last_end_ = 0;
    begun = source_->start(interval_);
  }
  const bool goes_on = begun.ok();
  if (goes_on) {
    begun = profiler::status(Code::kOverflow, "the load is too high for one every " + microseconds(lost_at) +
                                                  "; going on at " + microseconds(2 * lost_at));
  }
  {
    const std::lock_guard lock(mutex_);
    if (longer) ++counts_.restarts;
    counts_.interval_seconds = 1e-9 * static_cast<double>(interval_.count());
    if (goes_on) state_.status = begun;
  }
  return goes_on || fall_back(begun);
}

CurveState DeviceCurve::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
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
