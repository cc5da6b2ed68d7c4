// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/train/training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::train {

/// Looks for site rules and op changes that find nothing to cast: the op calls that they decide get whole numbers,
/// truth values or float64 alone. And for site rules whose op calls do not run. Only a forward tells, since
/// TorchScript's types say no dtype. Watches one step, from outside of the training's Autocast.
class IdleRules : public graph::SiteHook {
 public:
  /// `training` must outlive this.
  explicit IdleRules(const Training& training) : training_(training) {}

  /// Begins to watch, under the policy that is in force now.
  void watch();
  bool on() const { return on_; }
  /// Ends it. A sentence for each rule and op change of which some op call ran and none had anything to cast, and for
  /// each site rule of which no op call ran.
  std::vector<std::string> take();

  void before(graph::Call& call) override;

 private:
  /// Of a site: nobody asks anything of it, it has not run, it ran with nothing to cast, it had something.
  enum class State : std::uint8_t { kNotAsked, kWaiting, kNothing, kSomething };

  const Training& training_;
  bool on_ = false;
  std::vector<State> states_;
};

}  // namespace binade::train
