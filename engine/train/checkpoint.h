// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::train {

/// The state of `training` before step `step`, in one safetensors file, whole or not at all: parameters and buffers
/// (`model.<name>`), tensors in the model's other attributes (`attribute.<name>`), master weights (`master.<name>`),
/// what the optimizer keeps (`optimizer.<parameter>.<field>`), random state (`random.<device>`), and as JSON in the
/// metadata the run description, policy with its revision and what it resolved to, the model's other attributes,
/// scalers, and where the data stands. Changes nothing. Throws Error{kBadFile} where it cannot be written,
/// Error{kBadRun} for a training that is not whole. `loss` is that of the step before, for people to tell checkpoints
/// by.
wire::CheckpointInfo save_checkpoint(const Training& training, std::int64_t step, const std::string& reason,
                                     const std::string& file, std::optional<double> loss = {});

/// Puts `training` into the state of `file`, bit for bit; the policy comes into force too. `step` is the next step.
/// Throws Error{kBadFile}: no checkpoint, truncated, damaged, of another model (every differing tensor is named), of
/// another optimizer or other scalers; `training` is as it was then. A file that is cut short meanwhile leaves it not
/// whole. `notes`: what keeps it from going on to the bit, and what could not be checked.
struct Resumed {
  std::int64_t step = 0;
  std::vector<std::string> notes;
};
Resumed load_checkpoint(Training& training, const std::string& file);

/// Saves the trained model as it stands as TorchScript that runs without the policy's casts: weights that apex-o2 and
/// apex-o3 keep in float16 are saved in float32, from their masters where there are some. Throws Error{kBadFile}, or
/// Error{kBadRun} for a training that is not whole.
void save_trained_model(const Training& training, const std::string& file);

/// What a file says of itself. Throws Error{kBadFile} for what is no checkpoint.
wire::CheckpointInfo inspect_checkpoint(const std::string& file);

}  // namespace binade::train
