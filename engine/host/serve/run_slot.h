// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/control.h"
#include "engine/run/listener.h"

#include <memory>
#include <mutex>
#include <utility>

namespace binade::host {

/// Slot for the one run that an engine can have. take() claims it when a run is requested; RunEnd frees it.
/// Thread-safe.
class RunSlot {
 public:
  /// Throws Error{kUsage} if there is a run already.
  std::shared_ptr<run::Control> take();
  /// Throws Error{kUsage} if there is no run.
  std::shared_ptr<run::Control> current() const;
  /// Returns whether there is a run.
  bool taken() const;
  /// Frees the slot if `mine` still holds it; a later run keeps it.
  void free(const std::shared_ptr<run::Control>& mine);
  /// Stops the run, if there is one.
  void stop();

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<run::Control> control_;
};

/// Frees the slot of its run before later listeners receive the end of the run, so that they can request a new run at
/// once.
class RunEnd : public run::Listener {
 public:
  RunEnd(RunSlot& slot, std::shared_ptr<run::Control> mine) : slot_(slot), mine_(std::move(mine)) {}

  void receive(wire::NotificationRef notification) override;

 private:
  RunSlot& slot_;
  std::shared_ptr<run::Control> mine_;
};

}  // namespace binade::host
