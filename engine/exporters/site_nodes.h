// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/inliner.h"

#include <torch/csrc/jit/ir/ir.h>

#include <vector>

namespace binade::exporters {

/// Calls `visit(node, in_loop)` for every node, inner blocks before the node they belong to: the order in which
/// graph::FlatGraph numbers its sites. `visit` may destroy the node it is given, and insert before it.
template <class Visit>
void each_node(torch::jit::Block* block, const Visit& visit, bool in_loop = false) {
  for (auto it = block->nodes().begin(); it != block->nodes().end();) {
    torch::jit::Node* node = *it++;
    const bool loops = in_loop || node->kind() == c10::prim::Loop;
    for (torch::jit::Block* inner : node->blocks()) each_node(inner, visit, loops);
    visit(node, in_loop);
  }
}

/// By site of the graph, in their order: whether one forward may run it more than once.
inline std::vector<bool> sites_in_loops(torch::jit::Graph& graph) {
  std::vector<bool> loops;
  each_node(graph.block(), [&](torch::jit::Node* node, bool in_loop) {
    if (graph::is_site(*node)) loops.push_back(in_loop);
  });
  return loops;
}

}  // namespace binade::exporters
