// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/diagnosis.h"
#include "engine/wire/model_info.h"

#include <string>

namespace binade::wire {

/// `fc2 (linear)`, `attention (matmul#1)`, `relu#0`: the module's path, and the op that tells its calls apart.
std::string place_of(const SiteInfo& site);

/// `row 3 of 64 (example 1203 of the data)`, `rows 3, 17 and 22 of 64`, `rows 0, 1, 2 and 9 more of 64`: from 0.
std::string rows_text(const BadRows& rows);

}  // namespace binade::wire
