// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/wire/diagnosis.h"
#include "engine/wire/model_info.h"

#include <string>
#include <vector>

namespace binade::words {

/// Short name of an op call: `fc2 (linear)`, `attention (matmul#1)`, `relu#0`. It has the module path and the op, with
/// its ordinal if that is needed to distinguish it.
std::string place_of(const wire::SiteInfo& site);
std::string place_of(const policy::SiteKey& site);

/// Short names of the first op calls: `conv1 (conv2d)`, `fc1 (linear) and fc2 (linear)`,
/// `conv1 (conv2d), fc1 (linear), fc2 (linear), +9 more`. `calls` are names as of SiteKey::name().
std::string places_text(const std::vector<std::string>& calls);

/// Rows, counted from 0: `row 3 of 64 (example 1203 of the data)`, `rows 3, 17 and 22 of 64` or
/// `rows 0, 1, 2 and 9 more of 64`.
std::string rows_text(const wire::BadRows& rows);

}  // namespace binade::words
