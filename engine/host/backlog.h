// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/envelope.h"
#include "engine/wire/notifications.h"

#include <cstddef>
#include <deque>
#include <optional>

namespace binade::host {

/// Anything that goes from the engine to the explorer.
using Outgoing = wire::VariantOf<decltype(wire::TypeList<wire::Response>{} + wire::Sent{})>;

/// What waits to go to the explorer, in order and bounded however long the explorer sleeps: beyond `observations` the
/// older steps lose their statistics and keep their numbers; beyond `entries` the older half is thinned, ever more the
/// older it is, as wire::WhenSlow says of each type. Answers are never dropped, nor is the declaration of a tensor;
/// skipped steps go last. (The run file has everything.)
/// Not thread-safe.
class Backlog {
 public:
  struct Limits {
    std::size_t observations = 20'000;  ///< tensors' statistics: about 25 MB
    std::size_t entries = 65'536;
  };

  Backlog() = default;
  explicit Backlog(Limits limits) : limits_(limits) {}

  void add(Outgoing item);

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  std::size_t observations() const { return observations_; }
  /// Answers that wait.
  std::size_t responses() const { return responses_; }

  /// Everything that waits; the backlog is empty then.
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

/// Takes the next message from the front: one item, or as many steps in a row as one run.steps may hold. Nothing where
/// `items` is empty.
std::optional<wire::Message> next_message(std::deque<Outgoing>& items);

}  // namespace binade::host
