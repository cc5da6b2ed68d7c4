// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model_archive.h"

namespace torch::jit {
struct Module;
}

namespace binade::graph {

/// Reads a TorchScript module, without running any of its code: its text is parsed and looked at, compiled and looked
/// at, and only then are objects made of its pickles, as their classes declare them. Throws Error{kBadFile} for what is
/// damaged or beyond the limits, Error{kUnsafe} for code that a model may not have, and what LibTorch's compiler
/// throws.
torch::jit::Module read_module(const ModelArchive& archive);

}  // namespace binade::graph
