// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/finding.h"

#include <cstdio>
#include <vector>

namespace binade::host {

/// Prints findings on an exported file. With `json` as events on standard output; otherwise as lines on `out`, with the
/// first op calls of a note and more of what the target cannot express.
void print_findings(const std::vector<targets::Finding>& findings, bool json, std::FILE* out = stdout);

}  // namespace binade::host
