// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <string>

namespace binade::graph {

/// Source line of a node that a user would open, `model.py:42`: of the Python source if the file has it, otherwise of
/// the TorchScript text. For code in PyTorch's own modules it is the calling line, because every Linear's product has
/// the same line of linear.py. Empty if there is no debug information.
std::string source_of(const torch::jit::Node& node);

}  // namespace binade::graph
