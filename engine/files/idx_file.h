// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/progress.h"

#include <ATen/core/Tensor.h>

#include <string>

namespace binade::files {

/// Reads an IDX file, plain or gzip, of unsigned bytes or float32, as a CPU tensor (uint8 or float32) of the file's
/// shape. Plain bytes are memory-mapped; unpacked or byte-swapped data goes to Scratch. Throws Error{kBadData}, naming
/// the file, if it is missing, truncated, too long or of another kind, Error{kBadFile} if the disk is full,
/// Error{kCancelled} as for `progress`.
at::Tensor read_idx(const std::string& file, const Progress& progress = {});

}  // namespace binade::files
