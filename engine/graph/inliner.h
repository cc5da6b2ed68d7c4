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

/// Function with which an exported file checks whether autocast is on around it. It takes a tensor and returns nothing.
/// Flattening removes its calls, because no flat graph runs under LibTorch's autocast.
constexpr const char* kAutocastCheck = "__torch__.binade_casts.outside_autocast";

/// Findings of inlining.
struct Inlined {
  std::vector<std::string> opaque;  ///< sentences about calls that could not be inlined
  bool forked = false;              ///< the graph had forks, which now run in the order of the text
  OwnBlocks own_blocks;             ///< the model's own autocast blocks, which marks in the graph point to
};

/// Inlines every call of `graph` in place, outermost first, and records each node's module path in its scope.
/// LibTorch's Inline() is not used, because it inlines optimised callees and keeps only the last part of a path. Forks
/// are inlined too, so that one thread runs everything in the order of the text. `root` is the module that the graph's
/// first input stands for, or null for a free function, whose nodes get `path`.
Inlined inline_with_paths(std::shared_ptr<torch::jit::Graph>& graph, const torch::jit::Module* root,
                          const std::string& path);

/// Site key that inline_with_paths() left on a node.
policy::SiteKey key_of(torch::jit::Node& node);

/// Whether the node is an op call with tensors among both arguments and results, which makes it a site.
bool is_site(torch::jit::Node& node);

}  // namespace binade::graph
