// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/own_blocks.h"
#include "engine/policy/resolve.h"

#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <string>
#include <vector>

namespace torch::jit {
struct Module;
}

namespace binade::graph {

/// The function by which an exported file looks whether autocast is on around it. It takes a tensor and gives nothing;
/// flattening leaves its calls out, since no flat graph runs in LibTorch's autocast.
constexpr const char* kAutocastCheck = "__torch__.binade_casts.outside_autocast";

/// What inlining leaves to tell.
struct Inlined {
  std::vector<std::string> opaque;  ///< sentences about calls that could not be inlined
  bool forked = false;              ///< there were forks; they now run in the order of the text
  OwnBlocks own_blocks;             ///< the model's own autocast blocks; marks in the graph point to them
};

/// Inlines every call of `graph` in place, outermost first, noting on each node (in its scope) the module path it came
/// from. LibTorch's own Inline() is not used: it inlines already optimised callees and keeps only the last part of a
/// path. Forks are inlined too, so that one thread runs everything in the order of the text.
/// `root` is the module that the graph's first input stands for, or null for a free function, whose nodes get `path`.
Inlined inline_with_paths(std::shared_ptr<torch::jit::Graph>& graph, const torch::jit::Module* root,
                          const std::string& path);

/// The key that inline_with_paths left on a node.
policy::SiteKey key_of(torch::jit::Node& node);

/// Whether the node is an op call that takes and gives tensors: these become sites.
bool is_site(torch::jit::Node& node);

}  // namespace binade::graph
