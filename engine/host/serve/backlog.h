// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/envelope.h"
#include "engine/wire/notifications.h"

#include <cstddef>
#include <deque>
#include <optional>

namespace binade::host {

/// Everything the engine sends to the explorer.
using Outgoing = wire::VariantOf<decltype(wire::TypeList<wire::Response>{} + wire::Sent{})>;

/// Queue of outgoing messages, in order and bounded even if the explorer stops reading.
/// - Beyond `Limits::observations`, older steps lose their statistics and keep their numbers.
/// - Beyond `Limits::entries`, the older half is thinned, so that the oldest entries are thinned most.
/// wire::WhenSlow says what is lost of each type. Responses are never dropped, nor is a step that declares a tensor.
/// Skipped steps and events are dropped last. The run file is complete regardless.
/// Not thread-safe.
class Backlog {
 public:
  struct Limits {
    std::size_t observations = 20'000;  ///< tensor statistics, about 25 MB
    std::size_t entries = 65'536;
  };

  Backlog() = default;
  explicit Backlog(Limits limits) : limits_(limits) {}

  /// Appends an item. Drops or thins older ones beyond the limits.
  void add(Outgoing item);

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  /// Number of tensor statistics in queued steps.
  std::size_t observations() const { return observations_; }
  /// Number of queued responses.
  std::size_t responses() const { return responses_; }

  /// Returns all queued entries and leaves the backlog empty.
  std::deque<Outgoing> take();

 private:
  void drop_observations();
  void thin();
  void drop_old(bool (*may_go)(const Outgoing&), std::size_t every);

  Limits limits_;
  std::deque<Outgoing> entries_;
  std::size_t observations_ = 0;
  std::size_t responses_ = 0;
};

/// Removes the next message from the front of `items`: one item, or as many consecutive steps as one run.steps may
/// hold. Returns nullopt if `items` is empty.
std::optional<wire::Message> next_message(std::deque<Outgoing>& items);

}  // namespace binade::host
