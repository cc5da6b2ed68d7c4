// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace torch::jit {
class SourceRangeUnpickler;
}

namespace binade::graph {

/// Maps a model's code to the Python lines it was made from, using the content of the record `*.debug_pkl` beside it.
/// The record is parsed on first use; a damaged one gives no lines. Thread-safe.
std::shared_ptr<torch::jit::SourceRangeUnpickler> source_ranges(std::string record);

}  // namespace binade::graph
