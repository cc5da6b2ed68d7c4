// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/notifications.h"

namespace binade::run {

/// Receives everything that a run reports. The pipe, the recorder and the printer of commands are listeners.
class Listener {
 public:
  virtual ~Listener() = default;

  /// Called on the training thread, in the order in which things happen. Implementations must not block. What they
  /// throw ends the run. The value lives as long as the call: keep a copy of what is needed later.
  virtual void receive(wire::NotificationRef notification) = 0;
};

}  // namespace binade::run
