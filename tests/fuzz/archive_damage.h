// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/reader.h"

namespace binade::fuzz {

/// Mutations of ZIP archives. Half of them damage the archive's bytes or directory and leave the checksums as they
/// were. The others change its entries (code of models as text), with checksums that are right again.
Mutation damaged_archive(const std::string& bytes, std::uint32_t seed);

}  // namespace binade::fuzz
