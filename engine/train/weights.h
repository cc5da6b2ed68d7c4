// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"

#include <string>
#include <vector>

namespace binade::train {

/// Loads the parameters and buffers of a model from a safetensors file or one of torch.save: a state dict, alone or
/// anywhere inside a checkpoint (`model`, `state_dict`, ...), also of a model wrapped in DataParallel or torch.compile
/// (`module.`, `_orig_mod.`). The file's numbers are converted to the model's dtypes. Returns notes for the log:
/// buffers that are not in it and keep the model's values (Python leaves out those that are not persistent). Throws
/// Error{kBadModel} listing every parameter that is missing, every tensor that the model does not have and every one of
/// another shape, both shapes named; then nothing was changed. Throws Error{kBadFile} or Error{kUnsafe} for a file that
/// cannot be read.
std::vector<std::string> load_weights(const graph::Model& model, const std::string& file);

}  // namespace binade::train
