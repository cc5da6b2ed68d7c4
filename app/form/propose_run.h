// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"
#include "engine/wire/run_config.h"

namespace binade::app {

/// Returns a run of this model that can start without further input. It uses Fashion-MNIST if that is installed and
/// fits the model, otherwise random batches.
wire::RunConfig proposeRun(const wire::ModelInfo& model);

/// Returns a run of one step without optimizer, to reproduce a failure with the weights, batch and scale of another
/// run. It changes nothing and observes everything.
wire::RunConfig proposeFailedRun(const wire::ModelInfo& model);

}  // namespace binade::app
