// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model_archive.h"

#include <string>

namespace binade::graph {

/// Opens a file as an archive with a TorchScript module. Throws Error{kBadFile} with what the file is instead: missing,
/// a state dict, a safetensors file, truncated, ...
ModelArchive open_model_archive(const std::string& file);

}  // namespace binade::graph
