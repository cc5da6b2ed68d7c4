// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model_archive.h"

namespace torch::jit {
struct Module;
}

namespace binade::graph {

/// Reads a TorchScript module without running its code: the text is parsed and checked, compiled and checked, and then
/// objects are made from the pickles as their classes declare. Throws Error{kBadFile} for damage and exceeded limits,
/// Error{kUnsafe} for code that is not allowed, and what LibTorch's compiler throws.
torch::jit::Module read_module(const ModelArchive& archive);

}  // namespace binade::graph
