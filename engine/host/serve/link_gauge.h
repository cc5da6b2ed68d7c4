// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/attach.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace binade::host {

/// Decides when a message may be sent on a slow link, so that an answer never waits long behind others.
///
/// With LinkLimits::marks, the explorer sends each mark back. The time until then, less the shortest such time, is how
/// long bytes wait on the way: in pipes, in ssh and in the network. The window is the number of bytes that may be on
/// their way; it shrinks while they wait longer than kGoodDelay, and grows while it is what holds messages back (as
/// TCP Vegas does: L. Brakmo, L. Peterson, 1995). LinkLimits::bytes_per_second is a fixed limit besides. Computes only;
/// not thread-safe.
class LinkGauge {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  static constexpr auto kGoodDelay = std::chrono::milliseconds(100);
  static constexpr std::size_t kLeastWindow = std::size_t{32} << 10;  ///< bytes
  static constexpr std::size_t kFirstWindow = std::size_t{128} << 10;
  static constexpr std::size_t kMostWindow = std::size_t{8} << 20;

  LinkGauge(const wire::LinkLimits& limits, Time now);

  /// Zero: a message may be sent now. Otherwise the time after which to ask again, or after the next seen().
  Clock::duration wait(Time now) const;
  /// A message of this size was sent.
  void sent(std::size_t bytes, Time now);
  /// The mark to send now; empty if nothing was sent since the last one, or the explorer sends none back.
  std::optional<wire::LinkMark> mark(Time now);
  /// The explorer has read this mark, and all before it. Unknown marks have no effect.
  void seen(std::int64_t number, Time now);

  /// Whether the window or the fixed limit holds messages back.
  bool is_slow(Time now) const { return wait(now) > Clock::duration::zero() || delay_ > kGoodDelay; }
  /// How long the newest mark waited, beyond the link's own delay.
  Clock::duration delay() const { return delay_; }
  /// Bytes that arrive each second, measured while some waited; 0: never.
  double bytes_per_second() const { return rate_; }
  std::size_t window() const { return window_; }
  std::size_t on_the_way() const { return on_the_way_; }
  /// Bytes sent since the last mark.
  std::size_t unmarked() const { return unmarked_; }

 private:
  struct Sent {
    std::int64_t number;
    Time at;
    std::size_t bytes;  ///< since the mark before
  };

  void adapt(std::size_t arrived, std::size_t were_on_the_way, Time now);
  double tokens(Time now) const;

  wire::LinkLimits limits_;
  std::deque<Sent> marks_;
  std::size_t on_the_way_ = 0;
  std::size_t unmarked_ = 0;
  std::int64_t last_number_ = 0;
  std::size_t window_ = kFirstWindow;
  bool doubles_ = true;  ///< until the first delay
  std::optional<Clock::duration> shortest_;
  Clock::duration delay_{};
  std::optional<Time> last_seen_, last_cut_;
  double rate_ = 0;
  double tokens_ = 0;  ///< bytes that the fixed limit allows at tokens_at_
  Time tokens_at_;
};

}  // namespace binade::host
