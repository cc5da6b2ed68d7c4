// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/outbox.h"
#include "engine/run/listener.h"

namespace binade::host {

/// Forwards every notification of a run to the explorer. Never blocks on it.
class PipeListener : public run::Listener {
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
