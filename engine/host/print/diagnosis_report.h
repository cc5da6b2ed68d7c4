// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/diagnosis.h"

#include <string>
#include <vector>

namespace binade::host {

/// Returns a diagnosis as indented lines: the first causes with their inputs, the chain from there, and the changes
/// tried. `sites` holds the names of op calls by id.
std::string diagnosis_lines(const wire::Diagnosis& diagnosis, const std::vector<std::string>& sites);

}  // namespace binade::host
