// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/policy/resolve.h"
#include "engine/targets/finding.h"

#include <cstdio>
#include <string>
#include <vector>

namespace binade::host {

/// Prints findings on an exported file. With `json` as events on standard output; otherwise as lines on `out`, with the
/// first op calls of a note and more of what the target cannot express.
void print_findings(const std::vector<targets::Finding>& findings, bool json, std::FILE* out = stdout);

/// Whether a finding states that the file deviates from the policy.
bool deviates(const std::vector<targets::Finding>& findings);

/// Findings of the table on the model's op calls, as notes. Those on rules for a loss are left out: see left_out().
std::vector<targets::Finding> notes_of(const policy::Policy& policy, const policy::Resolved& table);

/// Rules that a file for a model cannot hold because they match a loss, which belongs to a run.
std::vector<std::string> left_out(const policy::Policy& policy, const policy::Resolved& table);

}  // namespace binade::host
