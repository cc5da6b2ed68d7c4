// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/batches.h"
#include "engine/files/progress.h"
#include "engine/wire/data_preview.h"

#include <ATen/core/function_schema.h>

namespace binade::batches {

/// Looks at the source's first batch, with its arguments named by `forward` (self first), and puts the cursor back.
/// `batch` is the run's. Throws what the source throws.
wire::DataPreview preview(BatchSource& source, const c10::FunctionSchema& forward, std::int64_t batch);

/// The arrays of data files, file by file in their own order. Throws as open_arrays.
wire::DataArrays arrays_of(const std::vector<std::string>& files);

/// Opens the model and the data of a run for that, and nothing else of it. Throws Error{kCancelled} as `progress` says.
wire::DataPreview preview(const wire::RunConfig& config, const files::Progress& progress = {});

}  // namespace binade::batches
