// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// One event of a recorded run, as a folder from which it can be reproduced.

namespace binade::interchange {

struct EventBundle {
  std::vector<std::string> files;   ///< names in the folder
  bool replayable = false;          ///< the state before the step was kept, and is in the folder
  std::vector<std::string> needed;  ///< files of data that are not in the folder
};

/// Writes the events of a step to the folder `out`, which must not exist and appears only once it is complete: a run
/// file with this step alone, the state before it if the run kept it, run description, policy, event as JSON, the
/// model's file, and a README.txt with the commands that reproduce it. After a rewind the newest events of the step
/// count. `data`: also copies the files of data that the run reads. Throws Error: kBadFile if the run file cannot be
/// read, has no event at the step, or something cannot be written; kUsage if `out` exists. For any thread.
EventBundle write_event_bundle(const std::string& run_file, std::int64_t step, const std::string& out,
                               bool data = false);

}  // namespace binade::interchange
