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
///
/// torch::jit::load() is not used: it runs code while it loads, and trusts what pickles say of shapes and types. Here
/// no step trusts what a later one would have to verify:
/// 1. ModelArchive compares every record with its checksum.
/// 2. check_code() refuses what compiling or loading would run: computed defaults and attributes, `__setstate__`.
/// 3. LibTorch compiles the code, and check_compiled() checks every function and method, called or not: the ops, by
///    resources/ops/op_safety.csv, which has a row for every op of this LibTorch; casts between types; and the number
///    of ops after inlining.
/// 4. ModelValues creates each object as its class declares it, with every tensor inside of its storage.
/// All of this runs on a thread with a large stack, and depth is limited before anything recurses. The text of a loss
/// passes the same checks. A test compares the results with torch::jit::load(); another mutates files.
torch::jit::Module read_module(const ModelArchive& archive);

}  // namespace binade::graph
