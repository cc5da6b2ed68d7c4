// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/interchange/run_source.h"
#include "engine/record/damage.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A recorded run, written for other tools.

namespace binade::interchange {

enum class RunTarget : std::uint8_t {
  kTensorBoard,  ///< a folder with an event file
  kCsv,          ///< a folder of tables
  kPerfetto,     ///< a file in the Trace Event Format (JSON)
};

/// `tensorboard`, `csv`, `perfetto`.
std::string_view name(RunTarget target);
/// nullopt for another name.
std::optional<RunTarget> run_target(std::string_view name);

struct RunExport {
  std::vector<std::string> files;  ///< names in the folder, or the file's own
  std::int64_t steps = 0;          ///< number of steps that were read
  record::Damage damage;           ///< rows that were left out
};

/// Writes the run in `run_file` to `out`, which must not exist and appears only once it is complete. Long files are
/// read record by record. A run that is still being recorded is exported as far as it goes. Throws Error: kBadFile if
/// the run file cannot be read, the output cannot be written, or kPerfetto has no profiled step to show; kUsage if
/// `out` exists; kCancelled once `progress` returns false. For any thread.
RunExport export_run(const std::string& run_file, RunTarget target, const std::string& out, Progress progress = {});

}  // namespace binade::interchange
