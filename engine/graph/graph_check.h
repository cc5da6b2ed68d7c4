// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace torch::jit {
struct CompilationUnit;
struct Graph;
}  // namespace torch::jit

namespace binade::graph {

/// Throws Error{kUnsafe} if a graph calls an op that op_safety.csv does not list as safe, uses a custom C++ class, or
/// casts a value to another type without isinstance. Checking the graph makes this independent of how the code is
/// written. `what` begins the message: `loss`, a file's name. `lowered`: FlatGraph has rewritten the graph, which may
/// contain Binade's own ops.
void check_graph(const torch::jit::Graph& graph, const std::string& what, bool lowered = false);

/// check_graph() for every compiled function and method, called or not, so that interfaces hide nothing. Also throws
/// Error{kBadFile} if inlining all calls would exceed the limit of op calls. Call it before any of the code runs.
void check_compiled(const torch::jit::CompilationUnit& unit, const std::string& what);

}  // namespace binade::graph
