// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/diagnosis.h"

#include <string>
#include <vector>

namespace binade::host {

/// The first causes with what they were given, the way from there, and what was tried, as indented lines. `sites` are
/// names of op calls, by id.
std::string diagnosis_lines(const wire::Diagnosis& diagnosis, const std::vector<std::string>& sites);

}  // namespace binade::host
