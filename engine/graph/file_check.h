// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::graph {

/// Looks at a file without running anything in it and throws what is wrong with it as a TorchScript file:
/// Error{kBadFile} with what the file is instead (a state dict, a safetensors file, truncated, ...), or Error{kUnsafe}
/// where its code would act while loading (`__setstate__`) or touches files (`torch.save`, `torch.from_file`).
/// A scan lowers the risk; it is no proof that a model from a stranger is safe.
void check_torchscript_file(const std::string& file);

}  // namespace binade::graph
