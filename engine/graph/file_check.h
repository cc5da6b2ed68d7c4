// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model_archive.h"

#include <string>

namespace binade::graph {

/// Opens a file as an archive with a TorchScript module in it, and throws what it is instead: Error{kBadFile} for a
/// file that is missing, a state dict, a safetensors file, truncated, ...
ModelArchive open_model_archive(const std::string& file);

}  // namespace binade::graph
