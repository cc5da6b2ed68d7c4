// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/random_state.h"
#include "engine/train/training.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace binade::trial {

/// The whole state of a training between two steps except its policy, copied in memory on the training's device: what a
/// checkpoint contains. So any number of trainings start from the same bits, with neither a file nor a further set-up.
class StartState {
 public:
  /// Copies the state, with LibTorch's random state.
  explicit StartState(train::Training& training);

  /// Puts the state back into the training that it was copied from, bit for bit, and drops the gradients. The training
  /// is whole afterwards, even if its optimizer had failed.
  void restore(train::Training& training) const;

  /// Position in the data.
  std::int64_t cursor() const { return cursor_; }

 private:
  std::vector<std::pair<at::Tensor, at::Tensor>> tensors_;  ///< parameters, masters and buffers, with their copies
  train::KeptAttributes::Values attributes_;
  std::map<std::string, at::Tensor> optimizer_;
  std::vector<std::pair<wire::ScalerConfig, scaler::State>> scalers_;
  std::int64_t cursor_;
  train::RandomState random_;
};

}  // namespace binade::trial
