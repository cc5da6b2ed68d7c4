// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/random_state.h"
#include "engine/train/training.h"

#include <utility>
#include <vector>

namespace binade::train {

/// Puts a training back as it was when this was made: gradients, buffers, attributes, random state. For whoever runs
/// forward and backward without stepping, between two steps, on batches that BatchSource::peek() gives.
class Untouched {
 public:
  explicit Untouched(Training& training);
  ~Untouched();
  Untouched(const Untouched&) = delete;
  Untouched& operator=(const Untouched&) = delete;

  /// Buffers, attributes and random state as they were; no gradients. For another run of the same.
  void restore();

 private:
  Training& training_;
  const scaler::MasterWeights::Pause masters_;
  RandomState random_;
  KeptAttributes::Values attributes_;
  std::vector<std::pair<at::Tensor, at::Tensor>> gradients_;  ///< set aside, by parameter
};

}  // namespace binade::train
