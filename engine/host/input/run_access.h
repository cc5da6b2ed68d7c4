// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"
#include "engine/wire/run_config.h"

#include <string>

namespace binade::host {

/// The file of a model; nothing for `sample:NAME`.
confine::Access model_access(const std::string& model);

/// The files that a run reads and writes: model, weights, data and checkpoint; its run file and its checkpoint folder.
/// With a GPU where the machine has one.
confine::Access run_access(const wire::RunConfig& config);

/// Whether the machine has an NVIDIA driver whose devices a confined engine needs.
bool has_gpu_devices();

}  // namespace binade::host
