// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/wire/run_config.h"

#include <cstddef>
#include <string>
#include <vector>

namespace binade::test {

/// A small training on made-up batches that its policy, a base list without rules, ruins at known op calls.
struct PlantedCase {
  std::string name;                ///< `resnet float16: range: squares; cancellation: x + c - c`
  wire::RunConfig run;             ///< with that policy; nothing is observed, recorded or saved
  std::vector<std::string> known;  ///< names of the 1 to 4 op calls that need float32, each of them
};

/// How many cases there are: over every sample model, and models of tests/data/models.
std::size_t plantedCases();

/// The case of that number, from 0. Writes its model to `folder`, where it must stay while the case is used. Throws
/// Error if the model has no place for what is planted.
PlantedCase plantedCase(std::size_t number, const std::string& folder);

/// `policy` with a rule of float32 for each op call.
policy::Policy withFloat32(policy::Policy policy, const std::vector<std::string>& calls);

}  // namespace binade::test
