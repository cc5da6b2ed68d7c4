// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <string>

namespace binade::graph {

/// `model.py:42`: the line that a person would open, of the Python source where the file tells it, else of the
/// TorchScript text. Inside PyTorch's own modules it is the line that called them: every Linear's product stands at the
/// same line of linear.py. Empty where nothing is told.
std::string source_of(const torch::jit::Node& node);

}  // namespace binade::graph
