// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/run/control.h"
#include "engine/run/float32_question.h"
#include "engine/run/listener.h"
#include "engine/train/training.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <optional>

namespace binade::run {

/// Checks, before a format is blamed for a non-finite step, whether the same steps diverge in float32 too. Asks a
/// bounded number of times under one policy. Create it when the run starts, since it measures the weights then, and use
/// it on the training thread.
class DivergenceCheck {
 public:
  /// All arguments must outlive the check. `first_step`: the run's first step. `listener` receives progress.
  DivergenceCheck(const train::Training& training, const checkpoint::CheckpointFolder& folder, std::int64_t first_step,
                  Listener& listener, const Control& control);

  /// Call it for each step of the run, after check().
  void add_loss(double loss);

  /// If `diagnosis`, of a step after the weights have changed, blames a format, and weights or loss have grown: runs
  /// the steps in float32 unless the answer is known, and corrects the diagnosis or adds the answer to it. Does not
  /// throw if float32 cannot be asked.
  void check(wire::Diagnosis& diagnosis, std::int64_t step, double scale);

 private:
  Float32Question question_of(std::int64_t step) const;
  void apply(const Float32Answer& answer, wire::Diagnosis& diagnosis, double scale) const;

  const train::Training& training_;
  const checkpoint::CheckpointFolder& folder_;
  Listener& listener_;
  const Control& control_;
  const std::int64_t first_step_;
  const double first_norm_;           ///< of the weights, when the run started
  std::optional<double> first_loss_;  ///< first finite loss
  double last_loss_ = 0;              ///< last finite loss
  int revision_ = -1;                 ///< of the policy of the fields below
  int asked_ = 0;
  Float32Question question_;
  std::optional<Float32Answer> answer_;
};

}  // namespace binade::run
