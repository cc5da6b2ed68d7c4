// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/evidence/argument_watch.h"
#include "engine/train/training.h"

namespace binade::evidence {

/// Collects the evidence for silent faults, in closely observed steps, in addition to the observer's: casts, logits,
/// updates, optimizer sums. Changes nothing. One step at a time: begin(), forward, backward, before_optimizer(),
/// finish().
class SilentWatch {
 public:
  explicit SilentWatch(train::Training& training);

  void begin(bool observes);
  bool observes() const { return observes_; }
  /// Hook to nest outside of Autocast; needed only in observed steps.
  graph::SiteHook* hook() { return arguments_.hook(); }
  /// Call when gradients are final and the optimizer is about to step.
  void before_optimizer();
  silent::Evidence finish();

  /// Seconds spent in this step.
  double seconds() const { return seconds_; }

 private:
  train::Training& training_;
  ArgumentWatch arguments_;
  silent::Evidence evidence_;
  bool observes_ = false;
  double seconds_ = 0;
};

}  // namespace binade::evidence
