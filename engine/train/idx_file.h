// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/waiting.h"

#include <ATen/core/Tensor.h>

#include <string>

namespace binade::train {

/// Reads an IDX file, plain or gzip, of unsigned bytes or float32: a CPU tensor (uint8 or float32) of the file's shape.
/// Plain bytes are mapped; what has to be unpacked, or turned to this machine's order of bytes, goes to Scratch.
/// Throws Error{kBadData} naming the file for a missing, truncated, overlong or foreign one, Error{kBadFile} for a full
/// disk, Error{kCancelled} as `waiting` says.
at::Tensor read_idx(const std::string& file, const Waiting& waiting = {});

}  // namespace binade::train
