// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/listener.h"

#include <vector>

namespace binade::host {

/// Forwards every notification to several listeners, in order. Does not own them.
class Listeners : public run::Listener {
 public:
  void add(run::Listener* listener) { all_.push_back(listener); }

  void receive(wire::NotificationRef notification) override {
    for (run::Listener* listener : all_) listener->receive(notification);
  }

 private:
  std::vector<run::Listener*> all_;
};

}  // namespace binade::host
