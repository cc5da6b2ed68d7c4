// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace binade::exporters {

/// Calls `visit(node)` for every node, inner blocks before their node: the order in which graph::FlatGraph numbers its
/// sites. `visit` may destroy the node and insert nodes before it.
template <class Visit>
void each_node(torch::jit::Block* block, const Visit& visit) {
  for (auto it = block->nodes().begin(); it != block->nodes().end();) {
    torch::jit::Node* node = *it++;
    for (torch::jit::Block* inner : node->blocks()) each_node(inner, visit);
    visit(node);
  }
}

}  // namespace binade::exporters
