// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/batches.h"
#include "engine/train/training.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace binade::ranks {

/// The number of labels that a loss averages, for the index of each loss that leaves out ignored labels.
using LabelCounts = std::vector<std::pair<std::size_t, double>>;

/// Counts the labels of a batch, or of a rank's part of it. Empty for data that is not of files: only files have labels
/// that losses ignore.
LabelCounts count_labels(const train::Training& training, const batches::Batch& batch);

/// Sets the shares by which the losses of a rank's part count: a mean over the labels of all ranks, which need not have
/// equally many. `whole`: counts of the whole batch, of the same losses. Labels of a part whose labels are all ignored
/// become 0, since a mean over none is NaN, also times 0.
void set_label_shares(const train::Training& training, batches::Batch& part, const LabelCounts& own,
                      const LabelCounts& whole);

}  // namespace binade::ranks
