// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::graph {

/// Likely shape and dtype of a tensor argument of forward, derived from the layers that use it first.
struct InputGuess {
  std::string spec;  ///< a SPEC with the batch as the letter N: `float32[N,3,32,32]`, `int64[N,16]<1000`
  std::string from;  ///< the weights it was derived from: `conv1.weight [16,3,3,3], fc.weight [10,1024]`
  std::vector<std::int64_t> sizes = {};  ///< of the spec, with kGuessedBatch for the batch
};

/// Represents the batch in a guess: a number that is no size in any model.
inline constexpr std::int64_t kGuessedBatch = 7919;

/// A guess for each argument of forward, without self. Empty for an argument that is not a tensor or whose layers do
/// not determine a shape. Shapes are tried with the shape rules of the graph's ops, without running any: no known op
/// refuses a guess. Sizes that nothing determines, such as a sequence's length or a picture's side, have usual values.
std::vector<std::optional<InputGuess>> guess_inputs(const Model& model, const FlatGraph& flat);

}  // namespace binade::graph
