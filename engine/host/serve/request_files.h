// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"
#include "engine/wire/envelope.h"

#include <string>

namespace binade::host {

/// What a request means for the confined engine that is to answer it.
struct RequestFiles {
  enum class For { kInspection, kRun };
  For engine = For::kInspection;  ///< kInspection: it reads a model or data and changes nothing
  bool starts = false;            ///< it starts a run
  bool names_run = false;         ///< `access` is that of a whole run
  confine::Access access;         ///< all files that it names, but for these:
  std::string output;             ///< a file that it writes, once
  std::string input;              ///< a checkpoint that it reads into a run
};

/// Returns the files that a request names. Params that cannot be decoded name none: the engine refuses them. Throws
/// Error{kUnsafe} for folders that an engine must not get: see run_access().
RequestFiles files_of(const wire::Request& request);

}  // namespace binade::host
