// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/train/training.h"

#include <memory>
#include <set>
#include <utility>

namespace binade::casts {

/// What the casts of one forward with its losses did, and how long it took.
struct TriedForward {
  double casts = 0;    ///< copies made
  double bytes = 0;    ///< written by them
  double seconds = 0;  ///< the shorter of two runs
  /// Sites and arguments with a copy, as in autocast::LedgerRow.
  std::set<std::pair<int, int>> cast_arguments{};
};

/// Runs forward and losses twice under a policy on a copy of the next batch, without changing the training. `inside`
/// sees the calls of the first run with their arguments cast; it may be null. Throws what the model's ops throw.
TriedForward try_forward(train::Training& training, const std::shared_ptr<const policy::Resolved>& policy,
                         graph::SiteHook* inside = nullptr);

/// Whether some op call is computed in an emulated format.
bool is_emulated(const policy::Resolved& policy);

/// Whether the host's time of a forward shows how fast the policy's formats are. Emulated formats take a different time
/// than native ones, and on a device the host's time does not show the work.
bool shows_time(const train::Training& training, const policy::Resolved& policy);

}  // namespace binade::casts
