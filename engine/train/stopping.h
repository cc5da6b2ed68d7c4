// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <stop_token>
#include <utility>

namespace binade::train {

/// Between the parts of something long, before training: throws Error{kCancelled} once a person asked for its end.
void check_stop(const std::stop_token& stop);

/// The same before every op call, for a forward that never comes to an end.
class StopAtSites : public graph::SiteHook {
 public:
  explicit StopAtSites(std::stop_token stop) : stop_(std::move(stop)) {}
  void before(graph::Call& /*call*/) override { check_stop(stop_); }

 private:
  std::stop_token stop_;
};

}  // namespace binade::train
