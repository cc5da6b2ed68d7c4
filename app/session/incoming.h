// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/envelope.h"
#include "engine/wire/notifications.h"

#include <optional>
#include <string>
#include <variant>

namespace binade::wire {
class FrameReader;
}  // namespace binade::wire

namespace binade::app {

/// A message of the engine that could not be decoded.
struct Unreadable {
  std::string method;  ///< of a notification; else empty
  std::string why;
  bool lost = false;  ///< all later messages are unreadable too
};

/// A message of the engine, decoded.
using Incoming = std::variant<wire::Response, wire::RunNotification, Unreadable>;

/// Returns the reader's next message; nullopt until more bytes are fed. Skips what an explorer is not sent, and
/// notifications of a newer engine. Throws nothing. Any thread.
std::optional<Incoming> nextIncoming(wire::FrameReader& reader);

}  // namespace binade::app
