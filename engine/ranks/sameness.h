// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/train/training.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace binade::ranks {

/// What must be equal on all ranks, as pairs of a name and a value.
using Contents = std::vector<std::pair<std::string, std::string>>;

/// Contents of this rank: versions, run description, model, weights and data files, starting values, policy table. The
/// values of long contents are SHA-256 hashes, of data files above 64 MiB of their size, beginning and end. Paths are
/// left out, since computers may keep a file at different places. Throws Error{kBadFile} for a file that cannot be
/// read.
Contents contents_of(const train::Training& training);

/// How a rank's contents differ from those of rank 0.
struct Difference {
  std::string what{};     ///< `the model file cnn.pt and the device (cpu, not cuda)`; empty: they are equal
  std::string hashes{};   ///< of files, their beginnings: `the model file cnn.pt 3f02abcd, not 9ab1cdef`
  bool in_files = false;  ///< whether files are among it
};
Difference difference(const Contents& own, const Contents& of_rank_0);

/// Returns the error that names all ranks which differ, and how; nullopt: none does. `ranks`: names of ranks, such as
/// `Rank 1 (host b)`, with their differences.
std::optional<Error> why_unlike(const std::vector<std::pair<std::string, Difference>>& ranks);

}  // namespace binade::ranks
