// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/data/array_file.h"
#include "engine/train/data/bytes.h"

namespace binade::train {

/// An array in NumPy's .npy format, versions 1 to 3, in row-major or Fortran order: a tensor over the bytes, for
/// take_rows(). `what` begins the message of Error{kBadFile}, for what is truncated, overlong, big-endian, structured
/// or holds objects.
at::Tensor read_npy(const Bytes& bytes, const std::string& what);

std::unique_ptr<ArrayFile> open_npy(const std::string& file);

}  // namespace binade::train
