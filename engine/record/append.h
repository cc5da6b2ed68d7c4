// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"
#include "engine/wire/trial.h"

#include <cstdint>
#include <string>

namespace binade::record {

/// Throws as append() would for a file to which nothing can be added. Changes no record.
void check_appendable(const std::string& path);

/// Adds a Try to the run file of a run that has ended, or that another process is recording, and returns its position:
/// one more than that of the newest record. It takes the place of the Try at position `replaced`, if that is not 0.
/// Both happen, or neither, also if this process is killed. Waits up to 30 s for other writers and readers. Throws
/// Error{kBadFile} if the file is missing, no run file, of another version, damaged or read-only, if its run has not
/// begun, if the disk is full, or if another program keeps the file locked; its records are then unchanged.
std::int64_t append(const std::string& path, const wire::Trial& trial, std::int64_t replaced = 0);

/// Adds a person's note in the same way.
std::int64_t append(const std::string& path, const wire::Note& note);

}  // namespace binade::record
