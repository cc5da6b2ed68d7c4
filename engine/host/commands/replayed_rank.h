// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/shard.h"
#include "engine/wire/records.h"

#include <optional>
#include <string>

namespace binade::host {

/// How one process replays a step of a run on several ranks.
struct ReplayedRank {
  std::optional<int> rank;  ///< replays this rank's part of the batch; nullopt: the whole batch
  batches::Shard shard;
  std::string limits;  ///< why the replay may differ from the step, as a sentence; empty: it does not
};

/// Chooses the part of the batch whose replay equals the step: that of the rank that caused the event. With
/// synchronised batch norms no part does, because its values depend on the examples of other ranks.
ReplayedRank replayed_rank(const wire::RunStarted& run, const wire::Event& event);

}  // namespace binade::host
