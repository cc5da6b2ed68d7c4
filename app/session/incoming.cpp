// SPDX-License-Identifier: Apache-2.0
#include "app/session/incoming.h"

#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <utility>

namespace binade::app {

std::optional<Incoming> nextIncoming(wire::FrameReader& reader) {
  std::string method;
  try {
    while (auto message = reader.next()) {
      if (auto* response = std::get_if<wire::Response>(&*message)) return std::move(*response);
      const auto* notification = std::get_if<wire::Notification>(&*message);
      if (notification == nullptr) continue;  // the engine asks nothing of the explorer
      method = notification->method;
      if (auto value = wire::decode_notification(*notification)) return std::move(*value);
      method.clear();
    }
    return std::nullopt;
  } catch (const Error& error) {
    return Unreadable{method, error.what(), reader.lost()};
  }
}

}  // namespace binade::app
