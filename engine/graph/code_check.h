// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace torch::jit {
struct Source;
}

namespace binade::graph {

/// Looks at TorchScript's code as its parser reads it, before anything compiles it. Throws Error{kUnsafe} where
/// compiling or loading it would run some of it: a default value or an attribute that is computed, `__setstate__`, a
/// custom C++ class; Error{kBadFile} where it cannot be parsed or nests too deeply for that. `what` begins messages:
/// the file and the record, or the loss. To be called on a thread with a large stack.
void check_code(const std::shared_ptr<torch::jit::Source>& source, const std::string& what);

/// The same for a record of an archive: what is no TorchScript is damage, an Error{kBadFile}. check_code() throws what
/// LibTorch's parser does.
void check_record(const std::shared_ptr<torch::jit::Source>& source, const std::string& what);

}  // namespace binade::graph
