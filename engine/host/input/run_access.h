// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"
#include "engine/wire/run_config.h"

#include <string>

namespace binade::host {

/// The file of a model; nothing for `sample:NAME`.
confine::Access model_access(const std::string& model);

/// A checkpoint, and its folder if that holds nothing else. Empty: none.
confine::Access checkpoint_access(const std::string& checkpoint);

/// What `field` names: a checkpoint, or a folder of them. Throws Error{kUnsafe} for a folder that holds other files.
confine::Access checkpoints_access(const std::string& named, const std::string& field);

/// Throws Error{kUnsafe} for a checkpoint folder that holds other files, and for a run file that does not end in
/// `.binade`: a run description comes from a stranger too, and a run writes there, confined or not.
void check_outputs(const wire::RunConfig& config);

/// The files that a run reads and writes: model, weights, data and checkpoint; its run file, if that is new, and its
/// checkpoint folder. With a GPU where the machine has one. Throws as check_outputs() does, and Error{kUnsafe} for a
/// folder to resume from that holds other files: its content would be given away.
confine::Access run_access(const wire::RunConfig& config);

/// Whether the machine has an NVIDIA driver whose devices a confined engine needs.
bool has_gpu_devices();

}  // namespace binade::host
