// SPDX-License-Identifier: Apache-2.0
#include "engine/files/progress.h"

#include "engine/formats/error.h"

#include <utility>

namespace binade::files {

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error(ErrorCode::kCancelled, "Cancelled during setup of the run");
}

Progress::Progress(std::stop_token stop, Receiver receiver, Clock::duration between)
    : stop_(std::move(stop)),
      receiver_(std::move(receiver)),
      between_(between),
      last_report_(std::make_shared<Clock::time_point>(Clock::now())) {}

void Progress::report(const std::string& what, std::uint64_t done, std::uint64_t of) const {
  check_stop(stop_);
  if (!receiver_ || Clock::now() - *last_report_ < between_) return;
  *last_report_ = Clock::now();
  receiver_(what + ": " + std::to_string(of == 0 ? 100 : 100 * done / of) + " %");
}

}  // namespace binade::files
