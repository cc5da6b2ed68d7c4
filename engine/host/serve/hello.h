// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/envelope.h"
#include "engine/wire/messages.h"

#include <optional>

namespace binade::host {

class Outbox;

/// What an explorer has said to an engine before this one, at the same pipe.
struct Greeting {
  bool done = false;
  std::optional<wire::LinkLimits> link{};
};

/// Throws Error{kUsage}, with both versions, if the explorer speaks another protocol; and as check_link() does.
void check_hello(const wire::Hello& hello);

/// Throws Error{kUsage} for limits that no link can have.
void check_link(const wire::LinkLimits& limits);

/// Passes a notification of the explorer on, if it is kLinkSeen. All others are ignored. Throws Error{kUsage} for
/// params that cannot be decoded.
void receive_mark(const wire::Notification& notification, Outbox& outbox);

}  // namespace binade::host
