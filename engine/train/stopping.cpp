// SPDX-License-Identifier: Apache-2.0
#include "engine/train/stopping.h"

#include "engine/formats/error.h"

namespace binade::train {

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error(ErrorCode::kCancelled, "Cancelled while the run was set up");
}

}  // namespace binade::train
