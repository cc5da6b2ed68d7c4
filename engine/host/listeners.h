// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/listener.h"

#include <vector>

namespace binade::host {

/// Passes what it receives to several listeners, in order. Does not own them.
class Listeners : public train::Listener {
 public:
  void add(train::Listener* listener) { all_.push_back(listener); }

  void receive(wire::NotificationRef notification) override {
    for (train::Listener* listener : all_) listener->receive(notification);
  }

 private:
  std::vector<train::Listener*> all_;
};

}  // namespace binade::host
