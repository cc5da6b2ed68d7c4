// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/control.h"
#include "engine/train/listener.h"

#include <memory>
#include <mutex>
#include <utility>

namespace binade::host {

/// The one run that an engine may have: taken when it is asked for, freed by a RunEnd. Any thread.
class RunSlot {
 public:
  /// Throws Error{kUsage} where there is a run already.
  std::shared_ptr<train::Control> take();
  /// Throws Error{kUsage} where there is no run.
  std::shared_ptr<train::Control> current() const;
  bool taken() const;
  /// Frees the slot where `mine` still holds it; a run that came after stays.
  void free(const std::shared_ptr<train::Control>& mine);
  /// Stops the run, if there is one.
  void stop();

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<train::Control> control_;
};

/// Frees the slot of one run as soon as listeners behind this one hear of its end, so that a new run may be asked for
/// on that very message.
class RunEnd : public train::Listener {
 public:
  RunEnd(RunSlot& slot, std::shared_ptr<train::Control> mine) : slot_(slot), mine_(std::move(mine)) {}

  void receive(wire::NotificationRef notification) override;

 private:
  RunSlot& slot_;
  std::shared_ptr<train::Control> mine_;
};

}  // namespace binade::host
