// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/grad_scaler.h"
#include "engine/train/training.h"
#include "engine/wire/records.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::train {

/// What one step leaves behind.
struct StepOutcome {
  wire::StepRecord record;
  /// Where the scaler found a non-finite gradient: the names of the parameters that have one, earliest layer first.
  std::vector<std::string> bad_parameters;
};

/// Does optimizer steps. The host waits for the device once in each, for the scaler's answer; loss and gradient norm
/// come home with it, the observations behind it.
class Stepper {
 public:
  explicit Stepper(Training& training);

  /// One optimizer step on the next batch. Throws Error naming the site where an op fails.
  StepOutcome run(std::int64_t step);

  /// From the next step on.
  void set_scale(double scale);
  void set_observe(const wire::ObserveConfig& observe) { observe_ = observe; }

  double scale() const { return scale_state_.scale; }
  /// Every tensor that a record has named so far, by id.
  const std::vector<wire::WatchedTensor>& watched() const { return watched_; }

 private:
  at::Tensor forward_and_loss(const Batch& batch);
  at::Tensor gradient_norm() const;
  std::vector<std::string> bad_parameters() const;
  void add_observations(wire::StepRecord& record);

  Training& training_;
  wire::ObserveConfig observe_;
  scaler::State scale_state_;  ///< what the scaler's tensors hold, known without asking the device
  std::vector<wire::WatchedTensor> watched_;
};

}  // namespace binade::train
