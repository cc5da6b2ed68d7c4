// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/interchange/export_run.h"

#include <string>

namespace binade::interchange {

/// Writes a profiled run as a trace into a new file. Adds file and steps to `result`. Throws as export_run().
void write_perfetto(RunSource& source, const std::string& file, RunExport& result);

}  // namespace binade::interchange
