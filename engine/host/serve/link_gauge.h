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
/// With LinkLimits::marks, the explorer sends each mark back. The time until then, less the shortest such time, tells
/// when the link was done with what was sent before the mark: in pipes, in ssh and in the network. This gives the
/// link's rate while something waits for it, and when the link will be done with what was sent since. The next message
/// may be sent if that is at most kGoodDelay away. While nothing waits longer than kShortestWait, the assumed rate
/// rises: first by doubling, later slowly (as TCP BBR does: N. Cardwell et al., ACM Queue 14(5), 2016).
/// LinkLimits::bytes_per_second is a fixed limit besides. Computes only; not thread-safe.
class LinkGauge {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  static constexpr auto kGoodDelay = std::chrono::milliseconds(60);
  /// Less than this says nothing about the link: a thread waits for a processor as long.
  static constexpr auto kShortestWait = std::chrono::milliseconds(15);
  static constexpr double kFirstRate = 128 << 10;                      ///< bytes a second, until more is known
  static constexpr std::size_t kBetweenMarks = std::size_t{16} << 10;  ///< most bytes, within a batch

  LinkGauge(const wire::LinkLimits& limits, Time now);

  /// Zero: a message may be sent now. Otherwise the time after which to ask again, or after the next seen().
  Clock::duration wait(Time now) const;
  /// The same for an answer, which waits for the fixed limit alone: it is small, and the explorer asked for it.
  Clock::duration wait_of_answer(Time now) const;
  /// A message of this size was sent.
  void sent(std::size_t bytes, Time now);
  /// The mark to send now; empty if nothing was sent since the last one, or the explorer sends none back.
  std::optional<wire::LinkMark> mark(Time now);
  /// Whether so much was sent since the last mark that the next one is due within a batch.
  bool mark_is_due() const;
  /// The explorer has read this mark, and all before it. Unknown marks have no effect.
  void seen(std::int64_t number, Time now);

  /// Whether the link's rate, as far as it was measured, or the fixed limit holds messages back.
  bool is_slow(Time now) const;
  /// How long the newest part, from one mark to the next, waited for the part before it. The time that the link needs
  /// for the part itself does not count: a large message alone is no queue.
  Clock::duration delay() const { return delay_; }
  /// Bytes that arrive each second, measured while some waited; 0: never.
  double bytes_per_second() const { return measured_rate_; }

 private:
  /// What was sent from one mark to the next.
  struct Part {
    std::int64_t number;
    Time begin;  ///< of its first byte
    Time at;     ///< of its mark
    std::size_t bytes;
    Clock::duration expected;  ///< time from the mark until the link is done with it, as assumed then
    Time done;                 ///< when the link will be done with it, as far as known now
  };

  Clock::duration time_for(std::size_t bytes) const;
  bool is_overdue(Time now) const;
  void measure(std::size_t arrived, Clock::duration took);
  void raise(Time at, Time now);
  void plan();
  double tokens(Time now) const;

  wire::LinkLimits limits_;
  std::deque<Part> parts_;  ///< with a mark that was not seen yet
  std::size_t unmarked_ = 0;
  Time unmarked_begin_{};
  std::int64_t last_number_ = 0;
  std::optional<Clock::duration> shortest_;
  Clock::duration delay_{};
  Time link_free_{};  ///< when the link was done with the newest mark that was seen
  Time done_{};       ///< when it will be done with all that was sent
  double rate_ = kFirstRate;
  double measured_rate_ = 0;
  std::optional<Time> last_rise_;
  Clock::duration measured_time_{};  ///< that the link took for measured_bytes_
  std::size_t measured_bytes_ = 0;
  double tokens_ = 0;  ///< bytes that the fixed limit allows at tokens_at_
  Time tokens_at_;
};

}  // namespace binade::host
