// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"

#include <utility>

namespace binade::files {

/// The tensors of a file that Python's torch.save wrote (PyTorch 1.6 or newer), with their paths (tensors_in), mapped.
/// No code of the file runs: dict, OrderedDict, list, tuple, numbers, texts and tensors are read (also a whole
/// state_dict), anything else is refused by name with Error{kUnsafe}. Throws Error{kBadFile} for a damaged file, one of
/// an older PyTorch, or a TorchScript module. A byte of a bool tensor may be neither 0 nor 1: take_rows() makes it one.
std::vector<std::pair<std::string, at::Tensor>> read_torch_file(const std::string& file);

std::unique_ptr<ArrayFile> open_torch_file(const std::string& file);

}  // namespace binade::files
