// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/search.h"
#include "engine/trial/trials.h"
#include "tests/planted/planted_case.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::test {

/// What a search for the op calls that need a higher format gave.
struct Mended {
  std::optional<search::Point> found;  ///< the policy with the fewest changed op calls that holds
  bool is_minimal = false;             ///< without any one of its rules it fails
  std::int64_t tries = 0;
  std::vector<std::string> calls;  ///< those that it could choose from, in the order of execution
};

/// Searches as the command `search --for repair` does: with the evidence of one step and of the steps until one fails.
/// `trials`: of the case's run. The tries that check whether the result is minimal do not count.
Mended mend(const PlantedCase& planted, trial::Trials& trials, std::int64_t steps, std::int64_t most_tries);

/// How many tries a bisection by prefix of the execution order takes for the same (tests/support/prefix_bisection.h).
std::size_t triesByPrefix(const PlantedCase& planted, trial::Trials& trials, std::int64_t steps,
                          const std::vector<std::string>& calls);

}  // namespace binade::test
