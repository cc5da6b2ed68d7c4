// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/rank_totals.h"

#include <nlohmann/json.hpp>

#include <string>

namespace binade::host {

/// Which rank the others wait for, and a table of the ranks. Ends without a line break.
std::string ranks_text(const wire::RankTotals& totals);

/// A list of objects, by rank: means of a step in seconds, the share of steps in which it was the last, steps with an
/// overflow, and tensor-core use in percent, which is absent if it was not measured.
nlohmann::ordered_json ranks_json(const wire::RankTotals& totals);

}  // namespace binade::host
