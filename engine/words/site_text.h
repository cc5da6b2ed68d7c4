// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/diagnosis.h"
#include "engine/wire/model_info.h"

#include <string>

namespace binade::words {

/// Short name of an op call: `fc2 (linear)`, `attention (matmul#1)`, `relu#0`. It has the module path and the op, with
/// its ordinal if that is needed to distinguish it.
std::string place_of(const wire::SiteInfo& site);

/// Rows, counted from 0: `row 3 of 64 (example 1203 of the data)`, `rows 3, 17 and 22 of 64` or
/// `rows 0, 1, 2 and 9 more of 64`.
std::string rows_text(const wire::BadRows& rows);

}  // namespace binade::words
