// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::graph {

/// What a tensor argument of forward is likely to be, as the layers say it that meet it first.
struct InputGuess {
  std::string spec;  ///< a SPEC whose batch is the letter N: `float32[N,3,32,32]`, `int64[N,16]<1000`
  std::string from;  ///< the weights that say so: `conv1.weight [16,3,3,3], fc.weight [10,1024]`
};

/// One for each argument of forward, without self; nothing for one that is no tensor, and for one of which no layer
/// tells. Shapes are tried out on the graph by the rules of its ops alone, no op runs: of a guess no op is known that
/// would refuse it. Sizes that nothing settles, a sequence's length or a picture's side, are usual ones.
std::vector<std::optional<InputGuess>> guess_inputs(const Model& model, const FlatGraph& flat);

}  // namespace binade::graph
