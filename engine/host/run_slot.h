// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/control.h"
#include "engine/train/listener.h"

#include <memory>
#include <mutex>

namespace binade::host {

/// The one run that an engine may have: taken when it is asked for, free again as soon as listeners behind this one
/// hear of its end, so that a new run may be asked for on that very message.
class RunSlot : public train::Listener {
 public:
  /// Throws Error{kUsage} where there is a run already.
  std::shared_ptr<train::Control> take();
  /// Throws Error{kUsage} where there is no run.
  std::shared_ptr<train::Control> current() const;
  bool taken() const;
  void free();
  /// Stops the run, if there is one.
  void stop();

  void on_state(const wire::StateChanged& change) override;
  void on_finished(const wire::Finished& /*finished*/) override { free(); }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<train::Control> control_;
};

}  // namespace binade::host
