// SPDX-License-Identifier: Apache-2.0
#include "engine/train/check_ranks.h"

#include "engine/formats/error.h"

namespace binade::train {

void check_ranks(const wire::RunConfig& config, const std::string& source, int ranks) {
  if (config.batch >= ranks) return;
  throw Error(ErrorCode::kBadRun,
              source + ": batch is " + std::to_string(config.batch) + ", which is less than the number of ranks, " +
                  std::to_string(ranks),
              "batch is the number of examples of all ranks together. Choose a larger one, or fewer ranks.")
      .at("batch");
}

}  // namespace binade::train
