// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/messages.h"

#include <vector>

namespace binade::test {

/// A made-up run of a small network, the same every time: the scale starts at 2^24, is backed off until the gradients
/// fit, and grows every 40 steps. What the explorer's tests and its fake engine play.
class FakeRun {
 public:
  FakeRun();

  const wire::RunStarted& started() const { return started_; }
  /// Starts anew with this configuration (its policy, its scale); the model stays the made-up one.
  void restart(const wire::RunConfig& config);
  void setScale(double scale) { scale_ = scale; }
  /// The scale stays as it is: nothing overflows that does not at it.
  void neverGrow() { grows_ = false; }
  /// Watched from the next step on: arguments and parameters too, where it says so.
  void setObserve(const wire::ObserveConfig& observe);
  /// A policy in force from the next step on.
  wire::PolicyApplied setPolicy(const policy::Policy& policy, int revision);

  /// The next step; `event()` is what it led to, if anything.
  wire::StepRecord next();
  const wire::Event* event() const { return has_event_ ? &event_ : nullptr; }
  std::int64_t step() const { return step_; }

  static wire::ModelInfo model();
  static wire::RunConfig config();

 private:
  wire::PolicyApplied resolve(const policy::Policy& policy, int revision) const;
  void declareTensors(wire::StepRecord& record);
  formats::TensorStats look(const wire::WatchedTensor& tensor) const;

  wire::RunStarted started_;
  wire::PolicyApplied policy_;
  std::vector<wire::WatchedTensor> tensors_;
  bool declare_ = true;
  int next_tensor_ = 0;
  std::int64_t step_ = 0;
  double scale_ = 1;
  int since_growth_ = 0;
  bool grows_ = true;
  wire::Event event_;
  bool has_event_ = false;
};

/// A policy on the base list of FakeRun with one rule, for its first convolution.
policy::Policy conv1In(const formats::Format& format);

}  // namespace binade::test
