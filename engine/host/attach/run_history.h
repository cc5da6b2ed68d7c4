// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/backlog.h"

#include <cstdint>
#include <functional>

namespace binade::host {

/// What a run has reported so far, for explorers that attach later: in its order, and bounded as a Backlog is. Older
/// steps lose their statistics first, and the oldest steps are thinned most. The run file has all of it. Not
/// thread-safe.
class RunHistory {
 public:
  static constexpr Backlog::Limits kLimits{.observations = 4'000, .entries = 32'768};  ///< about 15 MB
  static constexpr std::int64_t kStepsOnSlowLink = 2'000;

  void add(wire::NotificationRef notification);

  /// Passes the history to `take`, and returns what it lacks. `slow_link`: only the newest steps, and only the newest
  /// statistics, since an edit would wait behind all of it.
  wire::CaughtUp pass_to(const std::function<void(Outgoing)>& take, bool slow_link) const;

  /// The number of the next step.
  std::int64_t step() const { return step_; }

 private:
  Backlog entries_{kLimits};
  std::int64_t step_ = 0;
};

}  // namespace binade::host
