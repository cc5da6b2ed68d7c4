// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"

namespace binade::files {

/// Opens NumPy's .npz, a ZIP archive of .npy arrays. Arrays of numpy.savez are mapped; those of savez_compressed are
/// unpacked, large ones into a file (Scratch).
std::unique_ptr<ArrayFile> open_npz(const std::string& file);

}  // namespace binade::files
