// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/interchange/export_run.h"

#include <string>

namespace binade::interchange {

/// Writes a run as tables, as CSV into an existing, empty folder. Adds files and steps to `result`. Throws as
/// export_run().
void write_csv(RunSource& source, const std::string& folder, RunExport& result);

}  // namespace binade::interchange
