// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/commands/commands.h"
#include "engine/targets/finding.h"

#include <cstddef>
#include <cstdio>
#include <vector>

namespace binade::host {

/// Prints findings on an exported file, first what the target cannot express, then warnings, then notes. With `json` as
/// events on standard output; otherwise as lines on `out`, warnings on standard error. A line has the first op calls of
/// a note, and more of the others. Returns the number of warnings.
std::size_t print_findings(std::vector<targets::Finding> findings, bool json, std::FILE* out = stdout);

/// Throws Error{kBadPolicy} if there are warnings and the options have `strict`. Nothing must be written yet.
void refuse_warnings(const ExportOptions& options, std::size_t warnings);

}  // namespace binade::host
