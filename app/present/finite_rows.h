// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "views/values/chain_row.h"

#include <optional>
#include <vector>

namespace binade::app {

// Rows of an event's chain for values that were finite, as far as the run recorded them; ids are sites.

/// Returns the value that entered the first cause: for a backward cause the gradient of its output, otherwise its first
/// argument from another op call. nullopt if the replay recorded none that was finite. The failing cast of a forward
/// cause has such a row already.
std::optional<views::ChainRow> finiteBefore(const RunModel& run, const wire::Root& root);

/// Returns the op calls whose backward ran after a first cause and gave finite gradients only, last one first executed,
/// as one folded row; nullopt if the step's gradients were not recorded.
std::optional<views::ChainRow> finiteRest(const RunModel& run, const wire::Event& event);

}  // namespace binade::app
