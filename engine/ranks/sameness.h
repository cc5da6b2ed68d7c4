// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"

#include <string>
#include <utility>
#include <vector>

namespace binade::ranks {

/// What must be equal on all ranks, as pairs of a name and a value: versions, run description, model, weights and data
/// files, starting values, policy table. The values of long contents are SHA-256 hashes, of data files above 64 MiB of
/// their size, beginning and end. Paths are left out, since computers may keep a file at different places. Throws
/// Error{kBadFile} for a file that cannot be read.
std::vector<std::pair<std::string, std::string>> contents_of(const train::Training& training);

/// Returns how a rank's contents differ from those of rank 0, as the rest of a sentence; empty: they do not.
/// `the policy table is 3f02..., not 9ab1...; the model file cnn.pt is ...`.
std::string difference(const std::vector<std::pair<std::string, std::string>>& own,
                       const std::vector<std::pair<std::string, std::string>>& of_rank_0);

}  // namespace binade::ranks
