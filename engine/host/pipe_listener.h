// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/outbox.h"
#include "engine/train/listener.h"

namespace binade::host {

/// Sends the explorer everything that a run reports. Never waits for it.
class PipeListener : public train::Listener {
 public:
  explicit PipeListener(Outbox& outbox) : outbox_(outbox) {}

  void receive(wire::NotificationRef notification) override {
    notification.visit([this]<class T>(const T& value) {
      if constexpr (wire::OneOf<T, wire::Sent>) outbox_.post(value);
    });
  }

 private:
  Outbox& outbox_;
};

}  // namespace binade::host
