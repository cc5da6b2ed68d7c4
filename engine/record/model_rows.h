// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/sqlite.h"
#include "engine/wire/model_info.h"

namespace binade::record {

/// Writes what a run tells of its model, once for the file, as rows. File, type and output stand in the run's own row.
void write_model(const Database& database, const wire::ModelInfo& model);

/// Reads what write_model() wrote. Rows that cannot be read are left out and told to `damage`; without one they throw
/// Error{kBadFile}.
wire::ModelInfo read_model(const Database& database, Damage* damage);

}  // namespace binade::record
