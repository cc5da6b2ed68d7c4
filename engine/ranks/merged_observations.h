// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <map>
#include <string>
#include <vector>

namespace binade::ranks {

/// Observations of several ranks as those of one process on the whole batch: counts, histograms and sums of squares
/// added, largest and smallest values over all. Each rank numbers its tensors itself, in the order in which they occur,
/// which may differ where a model branches by its data.
class MergedObservations {
 public:
  /// Removes what is equal on every rank and not to be added: parameters, their summed gradients, and arguments before
  /// their casts that are weights or running statistics. Call it on ranks other than 0.
  static void keep_own(wire::StepRecord& record, const std::vector<wire::WatchedTensor>& watched);

  /// Adds the observations of another rank, `of`, to rank 0's. `watched`: tensors of rank 0; what it has never observed
  /// is left out and returned as the number of such tensors.
  std::size_t add(wire::StepRecord& to, const std::vector<wire::WatchedTensor>& watched, int rank,
                  const wire::StepRecord& of);

 private:
  std::map<int, std::vector<wire::WatchedTensor>> declared_;  ///< by rank, then by its own number
};

}  // namespace binade::ranks
