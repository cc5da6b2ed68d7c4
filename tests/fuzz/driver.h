// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/reader.h"

#include <vector>

namespace binade::fuzz {

/// The main function of a program that damages files of these readers; --help lists its options. Prints counts, and for
/// each failure its seed and the file with the input that failed. Returns 0 if nothing failed.
int drive(const std::vector<Reader>& readers, int argc, char** argv);

}  // namespace binade::fuzz
