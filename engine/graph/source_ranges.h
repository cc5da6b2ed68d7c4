// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace torch::jit {
class SourceRangeUnpickler;
}

namespace binade::graph {

/// Tells which lines of Python a model's code was made of, from the record `*.debug_pkl` that stands beside it. The
/// record is read when it is first asked; a damaged one knows nothing. May be asked from any thread.
std::shared_ptr<torch::jit::SourceRangeUnpickler> source_ranges(std::string record);

}  // namespace binade::graph
