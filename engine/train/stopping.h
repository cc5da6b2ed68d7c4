// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <stop_token>
#include <utility>

namespace binade::train {

/// Throws Error{kCancelled} if a stop was requested. Called between the parts of long work before training.
void check_stop(const std::stop_token& stop);

/// Does the same before every op call, for a forward that may not end.
class StopAtSites : public graph::SiteHook {
 public:
  explicit StopAtSites(std::stop_token stop) : stop_(std::move(stop)) {}
  void before(graph::Call& /*call*/) override { check_stop(stop_); }

 private:
  std::stop_token stop_;
};

}  // namespace binade::train
