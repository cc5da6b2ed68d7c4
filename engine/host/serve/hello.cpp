// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/hello.h"

#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/host/process/version.h"
#include "engine/host/serve/outbox.h"
#include "engine/wire/codec.h"

#include <string>

namespace binade::host {

void check_link(const wire::LinkLimits& limits) {
  if (limits.bytes_per_second >= 0 && limits.batches_per_second >= 1 &&
      limits.batches_per_second <= Outbox::kMostBatches) {
    return;
  }
  throw Error(ErrorCode::kUsage,
              "engine.hello: a link takes 1 to " + std::to_string(Outbox::kMostBatches) +
                  " batches a second, and no negative number of bytes",
              "Leave out the limits of the link.");
}

void check_hello(const wire::Hello& hello) {
  if (hello.link) check_link(*hello.link);
  if (hello.protocol == wire::kProtocol) return;
  const std::string version = hello.version.empty() ? "unknown" : formats::printable(hello.version);
  throw Error(ErrorCode::kUsage,
              "The explorer has version " + version + " and protocol " + std::to_string(hello.protocol) +
                  ", this engine has version " + kVersion + " and protocol " + std::to_string(wire::kProtocol),
              "Install explorer and engine of the same version.");
}

void receive_mark(const wire::Notification& notification, Outbox& outbox) {
  if (notification.method == wire::kLinkSeen) outbox.seen(wire::decode<wire::LinkMark>(notification.params).number);
}

}  // namespace binade::host
