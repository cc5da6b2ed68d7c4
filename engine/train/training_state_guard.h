// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/random_state.h"
#include "engine/train/training.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace binade::train {

/// Leaves a training unchanged by forwards and backwards that belong to no step. Captures on construction, and restores
/// on destruction, also after an exception: gradients, buffers, the attributes that forward changes (KeptAttributes),
/// and the random state of the CPU and the device. Meanwhile the model has no gradients at first, and master weights do
/// not follow backward.
///
/// Does not capture parameters, optimizer, scalers, policy, Training::buffers or the data's cursor: use
/// BatchSource::peek() and a separate Autocast where their state matters. Guards nest.
class TrainingStateGuard {
 public:
  enum class Mode : std::uint8_t {
    kTrain,
    kEvaluate,  ///< the model is in eval mode, without autograd; destruction restores each module's mode
  };
  explicit TrainingStateGuard(Training& training, Mode mode = Mode::kTrain);
  ~TrainingStateGuard();
  TrainingStateGuard(const TrainingStateGuard&) = delete;
  TrainingStateGuard& operator=(const TrainingStateGuard&) = delete;

  /// Restores what was captured, for another run; the gradients of the run so far are dropped.
  void restore();

 private:
  Training& training_;
  const scaler::MasterWeights::Pause masters_;  // their gradients must not accumulate
  const RandomState random_;
  const KeptAttributes::Values attributes_;
  std::vector<std::pair<at::Tensor, at::Tensor>> buffers_;    ///< with their copies
  std::vector<std::pair<at::Tensor, at::Tensor>> gradients_;  ///< set aside, by parameter
  struct ModuleMode {
    c10::intrusive_ptr<c10::ivalue::Object> module;
    std::size_t slot;  ///< of its attribute `training`
    c10::IValue value;
  };
  std::vector<ModuleMode> modes_;  ///< at construction; of kEvaluate
  std::optional<at::NoGradGuard> evaluates_;
};

}  // namespace binade::train
