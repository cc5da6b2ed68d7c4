// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::test {

/// A small random model with one fault in it, and what its diagnosis must say.
struct Planted {
  std::string kind;  ///< `overflow, forward: mul`
  std::unique_ptr<train::Training> training;
  std::int64_t steps = 1;  ///< in which it shows at the latest
  wire::Root::Fault fault{};
  wire::Direction direction = wire::Direction::kForward;
  std::string root;  ///< the name of the op call, or of what came from outside
  /// Words of which the reason must have one; empty: none may be given.
  std::vector<std::string> why;
};

/// How many kinds of faults there are.
std::size_t plantedKinds();

/// A model drawn by `seed` with a fault of the `kind`-th kind behind a layer drawn by it. `folder`: for its file.
Planted plant(std::size_t kind, std::uint64_t seed, const std::string& folder);

}  // namespace binade::test
