// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/messages.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace binade::train {

/// What a person asked of a running training; any thread asks, the training thread takes at step boundaries.
/// The latest policy, scale or observe setting replaces an earlier one that was not yet taken.
class Control {
 public:
  void pause();
  void resume();
  /// Runs `count` more steps, then pauses.
  void step(std::int64_t count = 1);
  /// Ends the run after the present step; `cancelled` tells the outcome kCancelled from kStopped.
  void stop(bool cancelled = false);
  void set_policy(wire::PolicySet policy);
  void set_scale(double scale);
  void set_observe(wire::ObserveConfig observe);

  /// What the training thread does next. Blocks while paused with nothing to do.
  struct Next {
    bool stop = false;
    bool cancelled = false;
    bool run_step = false;
    bool paused = false;  ///< nothing else to do: tell listeners, then call again with `wait`
    std::optional<wire::PolicySet> policy;
    std::optional<double> scale;
    std::optional<wire::ObserveConfig> observe;
  };
  /// Takes what was asked. With `wait` and the run paused, sleeps until something is asked.
  Next take(bool wait);

  /// Whether stop() was called; for long work between two takes, an evaluation.
  bool stop_requested() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool paused_ = false;
  bool stop_ = false;
  bool cancelled_ = false;
  std::int64_t steps_left_ = 0;
  std::optional<wire::PolicySet> policy_;
  std::optional<double> scale_;
  std::optional<wire::ObserveConfig> observe_;
};

}  // namespace binade::train
