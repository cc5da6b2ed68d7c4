// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>

namespace binade::host {

/// A state of a run from which further trainings can start.
struct RunState {
  wire::RunConfig config;  ///< records nothing and keeps no checkpoints; `resume` is empty
  std::string checkpoint;  ///< a checkpoint file; empty: the run's start
  std::string run_file;    ///< the run file that was named; empty: another kind of file was
  std::string note{};      ///< why an earlier state than the newest is used, for people; mostly empty
};

/// Returns the state that RUN of a command line names: a run description (its start, or the checkpoint from which it
/// resumes), a run file (the newest of its checkpoints that still exists, else its start), or a checkpoint or a folder
/// of them. `checkpoint`, a file or a folder, replaces that state. Throws Error if a file cannot be read, is of no such
/// kind, or names unknown ops.
RunState run_state(const std::string& run, const std::string& checkpoint = {});

}  // namespace binade::host
