// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/argument_watch.h"
#include "engine/train/training.h"

namespace binade::train {

/// Gathers what silent faults are judged by, in steps that are looked at closely, beside what the observer sees:
/// casts, logits, updates, the optimizer's sums. Changes nothing. One step at a time: begin(), forward, backward,
/// before_optimizer(), finish().
class SilentWatch {
 public:
  explicit SilentWatch(Training& training);

  void begin(bool looks);
  bool looks() const { return looks_; }
  /// To be nested outside and inside of Autocast; of use only in steps that are looked at.
  graph::SiteHook* outer() { return arguments_.outer(); }
  graph::SiteHook* inner() { return arguments_.inner(); }
  /// Gradients are as the optimizer will see them, and it will step.
  void before_optimizer();
  silent::Evidence finish();

  /// Seconds spent on it in this step.
  double seconds() const { return seconds_; }

 private:
  Training& training_;
  ArgumentWatch arguments_;
  silent::Evidence evidence_;
  bool looks_ = false;
  double seconds_ = 0;
};

}  // namespace binade::train
