// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/envelope.h"
#include "engine/wire/notifications.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace binade::host {

/// Everything the engine sends to the explorer.
using Outgoing = wire::VariantOf<decltype(wire::TypeList<wire::Response>{} + wire::Sent{})>;

/// What a queue left out of what a run reported.
struct LeftOut {
  std::int64_t statistics = 0;  ///< of tensors
  std::int64_t steps = 0;
  std::int64_t reports = 0;  ///< of other kinds
  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

/// Limits of one run.steps message. The largest stay well below a frame's capacity; the explorer shows such a batch
/// between two screen frames.
struct BatchLimits {
  std::size_t steps = 2'000;
  std::size_t observations = 10'000;  ///< reached by the last step of a batch
  bool answers_first = false;         ///< an answer overtakes all that is no answer
};
/// The limits for a slow link, where an answer waits only for the message that is being sent.
inline constexpr BatchLimits kSmallBatches{.steps = 16, .observations = 1, .answers_first = true};

/// Queue of outgoing messages, in order and bounded even if the explorer stops reading.
/// - Beyond `Limits::observations`, older steps lose their statistics and keep their numbers, and older reports on
///   quantized operands are dropped.
/// - Beyond `Limits::entries`, the older half is thinned, so that the oldest entries are thinned most.
/// wire::WhenSlow says what is lost of each type. Responses are never dropped, nor is a step that declares a tensor.
/// Skipped steps and events are dropped last. The run file is complete regardless.
/// left_out() counts all of this. Not thread-safe.
class Backlog {
 public:
  struct Limits {
    std::size_t observations = 20'000;  ///< statistics of tensors and quantized operands, about 25 MB
    std::size_t entries = 65'536;
  };

  Backlog() = default;
  explicit Backlog(Limits limits) : limits_(limits) {}

  /// Appends an item. Drops or thins older ones beyond the limits.
  void add(Outgoing item);

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  /// Number of statistics of tensors and quantized operands in the queue.
  std::size_t observations() const { return observations_; }
  /// Number of queued responses.
  std::size_t responses() const { return responses_; }

  /// Returns all queued entries and leaves the backlog empty.
  std::deque<Outgoing> take();
  /// The queued entries, oldest first.
  const std::deque<Outgoing>& entries() const { return entries_; }
  /// Removes the next message, as next_message() does.
  std::optional<wire::Message> next(const BatchLimits& limits = {});

  /// For a link that is slower than the run: removes the statistics of all steps but the newest that has some, and all
  /// but the newest report on casts, silent faults, costs and profiles. Steps, events and all else are kept.
  void shorten();

  /// Counted since the backlog was made.
  const LeftOut& left_out() const { return left_out_; }

 private:
  void drop_statistics(wire::StepRecord& step);
  void drop_observations();
  void bring_answer_forward();
  void thin();
  void drop_old(bool (*may_go)(const Outgoing&), std::size_t every);

  Limits limits_;
  std::deque<Outgoing> entries_;
  std::size_t observations_ = 0;
  std::size_t responses_ = 0;
  LeftOut left_out_;
};

/// Removes the next message from the front of `items`: one item, or as many consecutive steps as one run.steps may
/// hold. Returns nullopt if `items` is empty.
std::optional<wire::Message> next_message(std::deque<Outgoing>& items, const BatchLimits& limits = {});

}  // namespace binade::host
