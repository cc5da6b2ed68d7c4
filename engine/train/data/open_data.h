// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/batches.h"
#include "engine/wire/run_config.h"

#include <ATen/core/function_schema.h>

#include <memory>
#include <stop_token>

namespace binade::train {

/// The source of a run's batches as its description says, with its prefetch thread. `forward` is the schema of the
/// model's forward, self first. Throws Error: kBadRun, kBadData, kBadFile, kUnsafe, as the fault is; kCancelled where
/// it looks through large data and `stop` was asked for.
std::unique_ptr<BatchSource> open_data(const wire::RunConfig& config, const c10::FunctionSchema& forward,
                                       const std::stop_token& stop = {});

}  // namespace binade::train
