// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/batches.h"
#include "engine/batches/shard.h"
#include "engine/files/progress.h"
#include "engine/wire/run_config.h"

#include <ATen/core/function_schema.h>

#include <memory>

namespace binade::batches {

/// The source of a run's batches as its description says, with its prefetch thread. `forward` is the schema of the
/// model's forward, self first; of training batches it gives the shard. Throws Error: kBadRun, kBadData, kBadFile,
/// kUnsafe, as the fault is; kCancelled as `progress` says.
std::unique_ptr<BatchSource> open_data(const wire::RunConfig& config, const c10::FunctionSchema& forward,
                                       const files::Progress& progress = {}, Shard shard = {});

}  // namespace binade::batches
