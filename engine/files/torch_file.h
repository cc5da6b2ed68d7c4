// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"

#include <utility>

namespace binade::files {

/// Returns the mapped tensors of a file written by torch.save (PyTorch 1.6 or newer) with their paths (tensors_in). No
/// code of the file runs: it may contain dict, OrderedDict, list, tuple, numbers, strings and tensors, such as a
/// state_dict; any other name throws Error{kUnsafe}. Throws Error{kBadFile} for a damaged file, a file of an older
/// PyTorch and a TorchScript module. Bytes of a bool tensor may be neither 0 nor 1; take_rows() corrects them.
std::vector<std::pair<std::string, at::Tensor>> read_torch_file(const std::string& file);

std::unique_ptr<ArrayFile> open_torch_file(const std::string& file);

}  // namespace binade::files
