// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/link_gauge.h"

#include <algorithm>

namespace binade::host {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kSavedSeconds = 0.1;  ///< of the fixed limit, that a pause may save up
constexpr double kNewest = 0.25;       ///< weight of the newest measurement of the rate

}  // namespace

LinkGauge::LinkGauge(const wire::LinkLimits& limits, Time now)
    : limits_(limits),
      tokens_(kSavedSeconds * static_cast<double>(std::max<std::int64_t>(limits.bytes_per_second, 0))),
      tokens_at_(now) {}

double LinkGauge::tokens(Time now) const {
  const auto rate = static_cast<double>(limits_.bytes_per_second);
  return std::min(kSavedSeconds * rate, tokens_ + rate * Seconds(now - tokens_at_).count());
}

LinkGauge::Clock::duration LinkGauge::wait(Time now) const {
  constexpr auto kNever = std::chrono::hours(1);  // seen() comes before
  if (limits_.marks && on_the_way_ >= window_) return kNever;
  if (limits_.bytes_per_second <= 0) return {};
  const double left = tokens(now);
  if (left > 0) return {};
  const Seconds until(-left / static_cast<double>(limits_.bytes_per_second) + 0.001);
  return std::chrono::ceil<Clock::duration>(until);
}

void LinkGauge::sent(std::size_t bytes, Time now) {
  unmarked_ += bytes;
  if (limits_.marks) on_the_way_ += bytes;
  if (limits_.bytes_per_second <= 0) return;
  tokens_ = tokens(now) - static_cast<double>(bytes);
  tokens_at_ = now;
}

std::optional<wire::LinkMark> LinkGauge::mark(Time now) {
  if (!limits_.marks || unmarked_ == 0) return std::nullopt;
  marks_.push_back({++last_number_, now, unmarked_});
  unmarked_ = 0;
  return wire::LinkMark{last_number_};
}

void LinkGauge::seen(std::int64_t number, Time now) {
  if (number > last_number_) return;
  const std::size_t were_on_the_way = on_the_way_;
  std::size_t arrived = 0;
  std::optional<Time> at;
  while (!marks_.empty() && marks_.front().number <= number) {
    arrived += marks_.front().bytes;
    at = marks_.front().at;
    marks_.pop_front();
  }
  if (!at) return;
  on_the_way_ -= arrived;
  const Clock::duration took = now - *at;
  shortest_ = std::min(shortest_.value_or(took), took);
  delay_ = took - *shortest_;
  if (last_seen_ && delay_ > kGoodDelay / 4) {  // the link was busy since the mark before
    const double measured = static_cast<double>(arrived) / std::max(1e-6, Seconds(now - *last_seen_).count());
    rate_ = rate_ == 0 ? measured : (1 - kNewest) * rate_ + kNewest * measured;
  }
  last_seen_ = now;
  adapt(arrived, were_on_the_way, now);
}

void LinkGauge::adapt(std::size_t arrived, std::size_t were_on_the_way, Time now) {
  if (delay_ > kGoodDelay) {
    doubles_ = false;
    // One cut for what was sent before it could have an effect.
    if (last_cut_ && now - *last_cut_ < *shortest_ + delay_) return;
    last_cut_ = now;
    window_ = std::max(kLeastWindow, window_ * 7 / 10);
    return;
  }
  if (were_on_the_way * 4 < window_ * 3) return;
  window_ = std::min(kMostWindow, window_ + (doubles_ ? arrived : arrived / 8));
}

}  // namespace binade::host
