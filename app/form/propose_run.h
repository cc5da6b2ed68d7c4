// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"
#include "engine/wire/run_config.h"

namespace binade::app {

/// A run of this model that starts without another word: Fashion-MNIST where the model takes such pictures and they
/// are installed, else random batches.
wire::RunConfig proposeRun(const wire::ModelInfo& model);

/// One step without an optimizer, for weights, a batch and a scale of a run that failed elsewhere: nothing is changed,
/// everything is looked at.
wire::RunConfig proposeFailedRun(const wire::ModelInfo& model);

}  // namespace binade::app
