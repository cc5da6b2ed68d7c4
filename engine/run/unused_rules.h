// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/train/training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::run {

/// Finds site rules and op changes without effect, because their op calls receive only integers, bools or float64, and
/// site rules whose op calls do not run. This needs a forward, since TorchScript's types have no dtype. Observes one
/// step, outside of the training's Autocast. Rules whose lack of effect the policy's table alone shows are reported
/// with the table: see policy::resolve() and autocast/unused_findings.h.
class UnusedRules : public graph::SiteHook {
 public:
  /// `training` must outlive this.
  explicit UnusedRules(const train::Training& training) : training_(training) {}

  /// Starts observing, under the current policy.
  void watch();
  bool on() const { return on_; }
  /// Stops observing. Returns a sentence for each rule and op change whose op calls ran with nothing to cast, and for
  /// each site rule none of whose op calls ran.
  std::vector<std::string> take();

  void before(graph::Call& call) override;

 private:
  /// State of a site: no rule applies, has not run, ran with nothing to cast, had something to cast.
  enum class State : std::uint8_t { kNotAsked, kWaiting, kNothing, kSomething };

  const train::Training& training_;
  bool on_ = false;
  std::vector<State> states_;
};

}  // namespace binade::run
