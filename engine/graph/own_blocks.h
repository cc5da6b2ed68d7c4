// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/own_block.h"

#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <vector>

namespace torch::jit {
struct Module;
}

namespace binade::graph {

using OwnBlocks = std::vector<std::unique_ptr<policy::OwnBlock>>;

/// Whether the value is an object of `torch.autocast` or one of its older names. Its constructor must not be inlined
/// before take_own_blocks() has read its arguments.
bool is_autocast_object(const torch::jit::Value* value);

/// Finds the autocast blocks of a flat graph and inserts marks (`binade::own_block`) where each is entered and left,
/// since TorchScript ignores them. Attributes of `root` (may be null) count as constants. Throws Error{kBadModel}
/// naming the line if a block depends on a computed value.
OwnBlocks take_own_blocks(torch::jit::Graph& graph, const torch::jit::Module* root);

/// Kind of a mark's node.
c10::Symbol own_block_symbol();

/// The block that a mark enters or leaves; null for other nodes.
struct BlockMark {
  const policy::OwnBlock* block = nullptr;
  bool enters = false;
};
BlockMark mark_of(const torch::jit::Node& node);

}  // namespace binade::graph
