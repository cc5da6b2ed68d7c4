// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/link_gauge.h"

#include <algorithm>

namespace binade::host {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr auto kNever = std::chrono::hours(1);  // seen() comes before
constexpr double kSavedSeconds = 0.1;           ///< of the fixed limit, that a pause may save up
constexpr double kNewest = 0.25;                ///< weight of the newest measurement of the rate
/// Marks often return in groups, so the rate is measured over several.
constexpr auto kShortestMeasurement = std::chrono::milliseconds(100);
constexpr double kFirstRise = 2, kLaterRise = 1.25;  ///< in a round trip
constexpr double kMostRate = 1e9;

}  // namespace

LinkGauge::LinkGauge(const wire::LinkLimits& limits, Time now)
    : limits_(limits),
      tokens_(kSavedSeconds * static_cast<double>(std::max<std::int64_t>(limits.bytes_per_second, 0))),
      tokens_at_(now) {}

double LinkGauge::tokens(Time now) const {
  const auto rate = static_cast<double>(limits_.bytes_per_second);
  return std::min(kSavedSeconds * rate, tokens_ + rate * Seconds(now - tokens_at_).count());
}

LinkGauge::Clock::duration LinkGauge::time_for(std::size_t bytes) const {
  return std::chrono::ceil<Clock::duration>(Seconds(static_cast<double>(bytes) / rate_));
}

/// Whether a mark should be back: the link may be slower than assumed.
bool LinkGauge::is_overdue(Time now) const {
  return !parts_.empty() && now > parts_.front().done + shortest_.value_or(kGoodDelay) + kGoodDelay;
}

bool LinkGauge::is_slow(Time now) const {
  if (delay_ > kGoodDelay || is_overdue(now) || wait_of_answer(now) > Clock::duration::zero()) return true;
  return measured_rate_ > 0 && wait(now) > Clock::duration::zero();
}

LinkGauge::Clock::duration LinkGauge::wait(Time now) const {
  if (!parts_.empty()) {
    if (is_overdue(now)) return kNever;
    if (done_ - now > kGoodDelay) return done_ - now - kGoodDelay;
  }
  return wait_of_answer(now);
}

LinkGauge::Clock::duration LinkGauge::wait_of_answer(Time now) const {
  if (limits_.bytes_per_second <= 0) return {};
  const double left = tokens(now);
  if (left > 0) return {};
  const Seconds until(-left / static_cast<double>(limits_.bytes_per_second) + 0.001);
  return std::chrono::ceil<Clock::duration>(until);
}

void LinkGauge::sent(std::size_t bytes, Time now) {
  if (unmarked_ == 0) unmarked_begin_ = now;
  unmarked_ += bytes;
  done_ = std::max(done_, now) + time_for(bytes);
  if (limits_.bytes_per_second <= 0) return;
  tokens_ = tokens(now) - static_cast<double>(bytes);
  tokens_at_ = now;
}

std::optional<wire::LinkMark> LinkGauge::mark(Time now) {
  if (!limits_.marks || unmarked_ == 0) return std::nullopt;
  parts_.push_back({++last_number_, unmarked_begin_, now, unmarked_, done_ - now, done_});
  unmarked_ = 0;
  return wire::LinkMark{last_number_};
}

bool LinkGauge::mark_is_due() const {
  return limits_.marks && unmarked_ > 0 && (unmarked_ >= kBetweenMarks || time_for(unmarked_) > kGoodDelay / 2);
}

void LinkGauge::seen(std::int64_t number, Time now) {
  if (number > last_number_ || parts_.empty() || number < parts_.front().number) return;
  const Time begin = parts_.front().begin;
  Part newest{};
  std::size_t arrived = 0;
  while (!parts_.empty() && parts_.front().number <= number) {
    newest = parts_.front();
    arrived += newest.bytes;
    parts_.pop_front();
  }
  const Clock::duration took = now - newest.at;
  shortest_ = std::min(shortest_.value_or(took), took);
  const Time link_began = std::max(begin, link_free_);
  link_free_ = now - *shortest_;
  delay_ = link_began - begin;
  if (took - *shortest_ > kShortestWait) {
    measure(arrived, link_free_ - link_began);
  } else if (newest.expected > kShortestWait) {
    raise(newest.at, now);
  }
  plan();
}

void LinkGauge::measure(std::size_t arrived, Clock::duration took) {
  measured_bytes_ += arrived;
  measured_time_ += std::max(took, Clock::duration::zero());
  if (measured_time_ < kShortestMeasurement) return;
  const double measured = static_cast<double>(measured_bytes_) / Seconds(measured_time_).count();
  rate_ = measured_rate_ == 0 ? measured : (1 - kNewest) * rate_ + kNewest * measured;
  measured_rate_ = rate_;
  measured_bytes_ = 0;
  measured_time_ = {};
}

/// A part of which the mark was sent `at` waited less than assumed.
void LinkGauge::raise(Time at, Time now) {
  if (last_rise_ && at < *last_rise_) return;  // sent before it could have an effect
  last_rise_ = now;
  rate_ = std::min(kMostRate, rate_ * (measured_rate_ == 0 ? kFirstRise : kLaterRise));
}

/// Computes when the link will be done with what was sent after the newest mark that was seen.
void LinkGauge::plan() {
  done_ = link_free_;
  for (Part& part : parts_) {
    done_ = std::max(done_, part.begin) + time_for(part.bytes);
    part.done = done_;
  }
  if (unmarked_ > 0) done_ = std::max(done_, unmarked_begin_) + time_for(unmarked_);
}

}  // namespace binade::host
