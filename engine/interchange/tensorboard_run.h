// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/interchange/export_run.h"

#include <string>

namespace binade::interchange {

/// Writes a run as an event file of TensorBoard into an existing, empty folder. Adds files and steps to `result`.
/// Throws as export_run().
void write_tensorboard(RunSource& source, const std::string& folder, RunExport& result);

}  // namespace binade::interchange
