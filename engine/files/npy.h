// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"
#include "engine/files/bytes.h"

namespace binade::files {

/// Returns an array in NumPy's .npy format, versions 1 to 3, in row-major or Fortran order, as a tensor over the bytes
/// for take_rows(). Throws Error{kBadFile}, with a message that begins with `what`, if the array is truncated, too
/// long, big-endian or structured, or contains objects.
at::Tensor read_npy(const Bytes& bytes, const std::string& what);

std::unique_ptr<ArrayFile> open_npy(const std::string& file);

}  // namespace binade::files
