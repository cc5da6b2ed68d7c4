// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"
#include "engine/files/bytes.h"

namespace binade::files {

/// An array in NumPy's .npy format, versions 1 to 3, in row-major or Fortran order: a tensor over the bytes, for
/// take_rows(). `what` begins the message of Error{kBadFile}, for what is truncated, overlong, big-endian, structured
/// or holds objects.
at::Tensor read_npy(const Bytes& bytes, const std::string& what);

std::unique_ptr<ArrayFile> open_npy(const std::string& file);

}  // namespace binade::files
