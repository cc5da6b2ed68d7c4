// SPDX-License-Identifier: Apache-2.0
#include "engine/run/control.h"

#include "engine/formats/error.h"

#include <utility>

namespace binade::run {

namespace {

std::exception_ptr has_ended() {
  return std::make_exception_ptr(Error(ErrorCode::kUsage, "The run has ended", "Start one, or resume this one."));
}

void refuse(const Control::FileRequest& request) {
  if (request.done) request.done(std::nullopt, has_ended());
}

}  // namespace

void Control::pause() {
  const std::scoped_lock lock(mutex_);
  paused_ = true;
  steps_left_ = 0;
  changed_.notify_all();
}

void Control::resume() {
  const std::scoped_lock lock(mutex_);
  paused_ = false;
  steps_left_ = 0;
  changed_.notify_all();
}

void Control::step(std::int64_t count) {
  const std::scoped_lock lock(mutex_);
  paused_ = true;
  steps_left_ += count;
  changed_.notify_all();
}

void Control::stop(bool cancelled) {
  const std::scoped_lock lock(mutex_);
  stop_.request_stop();
  cancelled_ = cancelled_ || cancelled;
  changed_.notify_all();
}

void Control::set_policy(wire::PolicySet policy) {
  const std::scoped_lock lock(mutex_);
  policy_ = std::move(policy);
  changed_.notify_all();
}

void Control::set_scale(double scale, const std::string& id) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(scales_, [&id](const auto& earlier) { return earlier.first == id; });
  scales_.emplace_back(id, scale);
  changed_.notify_all();
}

void Control::tune(wire::ScalerConfig scaler) {
  const std::scoped_lock lock(mutex_);
  scalers_.push_back(std::move(scaler));
  changed_.notify_all();
}

void Control::request(FileRequest request) {
  {
    const std::scoped_lock lock(mutex_);
    if (!closed_) {
      files_.push_back(std::move(request));
      changed_.notify_all();
      return;
    }
  }
  refuse(request);
}

void Control::compare(CompareDone done) {
  {
    const std::scoped_lock lock(mutex_);
    if (!closed_) {
      comparisons_.push_back(std::move(done));
      changed_.notify_all();
      return;
    }
  }
  done(std::nullopt, has_ended());
}

void Control::measure_savings(SavingsRequest request) {
  {
    const std::scoped_lock lock(mutex_);
    if (!closed_) {
      savings_.push_back(std::move(request));
      changed_.notify_all();
      return;
    }
  }
  request.done(std::nullopt, has_ended());
}

void Control::measure_what_if(WhatIfRequest request) {
  {
    const std::scoped_lock lock(mutex_);
    if (!closed_) {
      what_ifs_.push_back(std::move(request));
      changed_.notify_all();
      return;
    }
  }
  request.done(std::nullopt, has_ended());
}

void Control::close() {
  std::vector<FileRequest> left;
  std::vector<CompareDone> uncompared;
  std::vector<SavingsRequest> unmeasured;
  std::vector<WhatIfRequest> unanswered;
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    left.swap(files_);
    uncompared.swap(comparisons_);
    unmeasured.swap(savings_);
    unanswered.swap(what_ifs_);
  }
  for (const FileRequest& request : left) refuse(request);
  for (const CompareDone& done : uncompared) done(std::nullopt, has_ended());
  for (const SavingsRequest& request : unmeasured) request.done(std::nullopt, has_ended());
  for (const WhatIfRequest& request : unanswered) request.done(std::nullopt, has_ended());
}

void Control::set_observe(wire::ObserveConfig observe) {
  const std::scoped_lock lock(mutex_);
  observe_ = std::move(observe);
  changed_.notify_all();
}

void Control::set_profile(wire::ProfileConfig profile) {
  const std::scoped_lock lock(mutex_);
  profile_ = std::move(profile);
  changed_.notify_all();
}

Control::Next Control::take(bool wait) {
  std::unique_lock lock(mutex_);
  const auto asked = [this] {
    return stop_requested() || !paused_ || steps_left_ > 0 || policy_ || !scales_.empty() || !scalers_.empty() ||
           observe_ || profile_ || !files_.empty() || !comparisons_.empty() || !savings_.empty() || !what_ifs_.empty();
  };
  if (wait) changed_.wait(lock, asked);
  Next next;
  next.policy = std::exchange(policy_, std::nullopt);
  next.scales.swap(scales_);
  next.scalers.swap(scalers_);
  next.files.swap(files_);
  next.comparisons.swap(comparisons_);
  next.savings.swap(savings_);
  next.what_ifs.swap(what_ifs_);
  next.observe = std::exchange(observe_, std::nullopt);
  next.profile = std::exchange(profile_, std::nullopt);
  next.stop = stop_requested();
  next.cancelled = cancelled_;
  if (next.stop) return next;
  next.run_step = !paused_ || steps_left_ > 0;
  if (paused_ && steps_left_ > 0) --steps_left_;
  next.paused = !next.run_step;
  return next;
}

}  // namespace binade::run
