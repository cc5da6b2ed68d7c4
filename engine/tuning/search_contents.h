// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <map>
#include <string>

namespace binade::tuning {

/// What tells one version of a file from another, by the file's path.
using Contents = std::map<std::string, std::string>;

/// Returns the fingerprints of all files that a search depends on: model, weights, checkpoint and data. A fingerprint
/// is size and checksum, so that a copy of the file counts as the same. For data files above 64 MiB it is size and time
/// of the last change, since reading them would take too long. Samples and synthetic data have no file. Throws
/// Error{kBadFile} for a file that cannot be read.
Contents contents_of(const wire::RunConfig& run, const std::string& checkpoint);

/// Throws Error{kUsage}, naming the first file that differs, unless both are equal. `state`: the search's file, for the
/// message.
void check_contents(const Contents& stored, const Contents& now, const std::string& state);

}  // namespace binade::tuning
