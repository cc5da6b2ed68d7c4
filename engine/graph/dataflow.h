// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"
#include "engine/graph/input_guess.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace binade::graph {

/// A tensor that an op call makes, or an argument of the graph.
struct Origin {
  int site = -1;   ///< id; -1: an argument of the graph
  int output = 0;  ///< index among the site's results, or of the argument
  friend bool operator==(const Origin&, const Origin&) = default;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// A tensor that an op call takes.
struct DataEdge {
  Origin from;
  int to = 0;                       ///< id of a site
  std::string argument;             ///< name in the op's schema; may be empty for an op with any number of arguments
  std::string value;                ///< name of the variable in the model's code; empty for a nameless one
  std::vector<std::int64_t> shape;  ///< -1: the size of the batch; empty: unknown, or a single number
};

/// A block of control flow with op calls in it.
struct ControlBlock {
  enum class Kind : std::uint8_t { kIf, kElse, kLoop };
  Kind kind = Kind::kIf;
  int first = 0;       ///< id of its first site; the others follow it
  int count = 0;       ///< number of sites, at least 1
  std::string path;    ///< module that contains the statement; empty: the root
  std::string source;  ///< `model.py:42` of the statement; may be empty
};

/// Which op call takes the results of which, and which op calls are inside control flow.
struct Dataflow {
  std::vector<DataEdge> edges;               ///< in the order of `to`, then of the arguments; no two are equal
  std::vector<ControlBlock> blocks;          ///< outer blocks precede inner ones
  std::vector<std::vector<Origin>> results;  ///< of the graph's result; of each element if the result is a tuple
};

/// Largest number of origins of one value. A value has several if it is a list, or depends on control flow. Of more,
/// those of the newest op calls are kept.
inline constexpr std::size_t kMostOrigins = 64;

/// Follows tensors through a graph: through lists, tuples, branches and loops, and through ops that are no sites. An
/// op that writes an argument is the origin of that argument for later op calls. Views are followed only as results.
/// Shapes follow from `guesses`, which guess_inputs() gave for the same graph, as far as the ops' shape rules determine
/// them; without guesses all are unknown. `model` may be null for a graph of a text. Runs no op.
Dataflow dataflow(const FlatGraph& flat, const Model* model = nullptr,
                  std::span<const std::optional<InputGuess>> guesses = {});

}  // namespace binade::graph
