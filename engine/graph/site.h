// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/op_traits.h"
#include "engine/policy/resolve.h"

#include <ATen/core/stack.h>

#include <functional>
#include <string>

namespace binade::graph {

using Stack = torch::jit::Stack;
/// An op as the stock interpreter calls it: takes its arguments off the stack, leaves its results there.
using Operation = std::function<void(Stack&)>;

/// One place in the flattened graph where an op is called. Owned by its FlatGraph, immutable once that is built.
struct Site : OpTraits {
  int id = 0;  ///< position in every per-site table of a run
  policy::SiteKey key;
  std::string source;                           ///< `model.py:42` where debug information tells it
  const policy::OwnBlock* own_block = nullptr;  ///< the innermost autocast block of the model's own around it
  bool in_loop = false;                         ///< one forward may run it more than once
  Operation operation;                          ///< the op itself, as the stock interpreter would call it
};

}  // namespace binade::graph
