// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"
#include "engine/wire/run_config.h"
#include "tests/planted/piece.h"

#include <string>
#include <vector>

namespace torch::jit {
struct Node;
}

namespace binade::test {

/// The model of a run in train mode, as its file or sample has it.
graph::Model openHost(const wire::RunConfig& run);

/// Names of the op calls that run once in a forward and whose result is a matrix or more, in the run's low format and
/// with gradients, in the order of execution.
std::vector<std::string> lowResults(const wire::RunConfig& run);

/// An op call behind which lines can be inserted.
struct Place {
  torch::jit::Node* node = nullptr;  ///< in the graph of a module of the model
  bool is_last = false;              ///< the last one of the forward
};

/// The places of those op calls in `model`, in the order of `calls`.
std::vector<Place> placesOf(const graph::Model& model, const std::vector<std::string>& calls);

/// Inserts a piece behind a place, between a clone of the result and a cast to the result's format.
void insert(const Place& place, const Piece& piece);

/// Multiplies the parameters of a layer.
void scaleLayer(const graph::Model& model, const std::string& path, double factor);

void save(const graph::Model& model, const std::string& file);

/// Names of the op calls that need float32 in a file into which `pieces` were inserted, in the order of execution; one
/// for each clone in the flat graph, so more or fewer than the pieces if a module with one is called more often.
std::vector<std::string> plantedCalls(const std::string& file, const std::vector<const Piece*>& pieces);

}  // namespace binade::test
