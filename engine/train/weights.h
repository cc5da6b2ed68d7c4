// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"

#include <string>
#include <vector>

namespace binade::train {

/// Loads a model's parameters and buffers from a safetensors file or a file of torch.save: a state dict, alone or
/// nested in a checkpoint (`model`, `state_dict`, ...), also of a model wrapped in DataParallel or torch.compile
/// (`module.`, `_orig_mod.`). Values are converted to the model's dtypes. Returns notes for the log, naming buffers
/// that are absent and keep the model's values (Python omits non-persistent ones).
///
/// Throws Error{kBadModel}, listing every missing parameter, unknown tensor and wrong shape; the model is then
/// unchanged. Throws Error{kBadFile} or Error{kUnsafe} for a file that cannot be read.
std::vector<std::string> load_weights(const graph::Model& model, const std::string& file);

}  // namespace binade::train
