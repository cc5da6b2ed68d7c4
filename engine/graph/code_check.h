// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace torch::jit {
struct Source;
}

namespace binade::graph {

/// Checks TorchScript code as its parser reads it, before it is compiled. Throws Error{kUnsafe} if compiling or loading
/// would run some of it: a computed default value or attribute, `__setstate__`, a custom C++ class. Throws
/// Error{kBadFile} if it nests too deeply or has too many lines in a row without code, and what LibTorch's parser
/// throws for other text. `what` begins messages: the file and the record, or the loss. Call it on a thread with a
/// large stack; see with_large_stack().
void check_code(const std::shared_ptr<torch::jit::Source>& source, const std::string& what);

/// check_code() for a record of an archive, which throws Error{kBadFile} for code that cannot be parsed.
void check_record(const std::shared_ptr<torch::jit::Source>& source, const std::string& what);

}  // namespace binade::graph
