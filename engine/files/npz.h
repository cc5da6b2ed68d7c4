// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"

namespace binade::files {

/// NumPy's .npz: a ZIP archive of .npy arrays. What numpy.savez wrote is mapped, what savez_compressed wrote is
/// unpacked, a large array into a file (Scratch).
std::unique_ptr<ArrayFile> open_npz(const std::string& file);

}  // namespace binade::files
