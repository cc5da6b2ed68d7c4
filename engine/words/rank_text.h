// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/rank_totals.h"

#include <string>
#include <vector>

namespace binade::words {

/// Whether one rank delays the others, in one or two sentences: `Rank 1 was the last in 83 % of 200 steps, on average
/// 4.2 ms (12 % of a step) behind the fastest rank.` Empty without times of ranks.
std::string straggler_text(const wire::RankTotals& totals);

/// The heading of rank_rows().
std::vector<std::string> rank_columns();
/// One row for each rank: its number, busy and waiting time of a step, its distance from the fastest rank, the share of
/// steps in which it was the last, steps with an overflow, and tensor-core use. `–`: not measured.
std::vector<std::vector<std::string>> rank_rows(const wire::RankTotals& totals);

}  // namespace binade::words
