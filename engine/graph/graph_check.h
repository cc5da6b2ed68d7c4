// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace torch::jit {
struct CompilationUnit;
struct Graph;
}  // namespace torch::jit

namespace binade::graph {

/// What to do about a file that is refused for its code.
extern const char* const kTrust;

/// Throws Error{kUnsafe} where a graph calls an op that op_safety.csv does not call safe, uses a custom C++ class, or
/// takes a value for one of another type without asking: however its text is written. `what` begins the message:
/// `loss`, a file's name. `lowered`: the graph was rewritten by FlatGraph, and may hold Binade's own ops.
void check_graph(const torch::jit::Graph& graph, const std::string& what, bool lowered = false);

/// The same for every function and method that was compiled, called or not: so nothing hides behind an interface. Also
/// throws Error{kBadFile} where calls would make more op calls than a model can have, once each is put in the place of
/// its call. Nothing of it has run.
void check_compiled(const torch::jit::CompilationUnit& unit, const std::string& what);

}  // namespace binade::graph
