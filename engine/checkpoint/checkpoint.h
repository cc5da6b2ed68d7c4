// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::checkpoint {

/// Saves the state of `training` before step `step` in one safetensors file, atomically. Call it at a step boundary
/// only, where no gradient and no half of an accumulation exists. Tensors: parameters and
/// buffers (`model.<name>`), other attributes (`attribute.<name>`), master weights (`master.<name>`), optimizer state
/// (`optimizer.<parameter>.<field>`), random state (`random.<device>`) and histories of delayed scaling
/// (`scales.<op call>.<operand>.<element>`). JSON in the metadata: run description,
/// policy with revision and resolution, further attributes, scalers, and the data's cursor. `loss` is that of the
/// previous step, stored for display. Throws Error{kBadFile} if the file cannot be written, Error{kBadRun} if the
/// training is not whole.
wire::CheckpointInfo save_checkpoint(const train::Training& training, std::int64_t step, const std::string& reason,
                                     const std::string& file, std::optional<double> loss = {});

/// Restores the state of `file` in `training`, bit for bit, including the policy; `step` of the result is the next
/// step. Throws Error{kBadFile} for a file that is no checkpoint, truncated, damaged, or of another model (naming each
/// differing tensor), optimizer or set of scalers; `training` is then unchanged. If the file is truncated while it is
/// read, `training` is no longer whole. `notes` explain what prevents an exact continuation, and what could not be
/// checked.
struct Resumed {
  std::int64_t step = 0;
  std::vector<std::string> notes;
};
Resumed load_checkpoint(train::Training& training, const std::string& file);

/// Saves the trained model as TorchScript without the policy's casts. float16 weights of apex-o2 and apex-o3 are saved
/// as float32, from their masters if there are any. Throws Error{kBadFile}, or Error{kBadRun} if the training is not
/// whole.
void save_trained_model(const train::Training& training, const std::string& file);

/// Reads a checkpoint's description. Throws Error{kBadFile} for a file that is no checkpoint.
wire::CheckpointInfo inspect_checkpoint(const std::string& file);

}  // namespace binade::checkpoint
