// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace torch::jit {
struct Graph;
}

namespace binade::graph {

/// Looks at a file without running anything in it and throws what is wrong with it as a TorchScript file:
/// Error{kBadFile} with what the file is instead (a state dict, a safetensors file, truncated, ...), or Error{kUnsafe}
/// where its code would act while loading (`__setstate__`) or touches files (`torch.save`, `torch.from_file`).
/// A scan lowers the risk; it is no proof that a model from a stranger is safe.
void check_torchscript_file(const std::string& file);

/// Throws Error{kUnsafe} where a graph calls an op that reads or writes files, or uses a custom C++ class: what the
/// text of such a call looks like does not matter. `what` begins the message: `loss`, `forward`.
void check_ops_touch_no_file(const torch::jit::Graph& graph, const std::string& what);

}  // namespace binade::graph
