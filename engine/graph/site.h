// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/op_traits.h"
#include "engine/policy/resolve.h"

#include <ATen/core/stack.h>

#include <functional>
#include <string>

namespace binade::graph {

using Stack = torch::jit::Stack;
/// An op as TorchScript's interpreter calls it: it takes its arguments from the stack and leaves its results there.
using Operation = std::function<void(Stack&)>;

/// An op call in the flattened graph. Owned by its FlatGraph and immutable once that is built.
struct Site : OpTraits {
  int id = 0;  ///< index in every per-site table of a run
  policy::SiteKey key;
  std::string source;                           ///< `model.py:42`; empty without debug information
  const policy::OwnBlock* own_block = nullptr;  ///< innermost of the model's own autocast blocks around it; may be null
  bool in_loop = false;                         ///< one forward may run it more than once
  Operation operation;                          ///< the op itself
};

}  // namespace binade::graph
