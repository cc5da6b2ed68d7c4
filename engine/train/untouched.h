// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/random_state.h"
#include "engine/train/training.h"

#include <utility>
#include <vector>

namespace binade::train {

/// Saves gradients, buffers, attributes and random state of a training, and restores them on destruction. For running
/// forward and backward without a step, between two steps, on batches of BatchSource::peek().
class Untouched {
 public:
  explicit Untouched(Training& training);
  ~Untouched();
  Untouched(const Untouched&) = delete;
  Untouched& operator=(const Untouched&) = delete;

  /// Restores buffers, attributes and random state, and clears gradients, for another run.
  void restore();

 private:
  Training& training_;
  const scaler::MasterWeights::Pause masters_;
  RandomState random_;
  KeptAttributes::Values attributes_;
  std::vector<std::pair<at::Tensor, at::Tensor>> gradients_;  ///< set aside, by parameter
};

}  // namespace binade::train
