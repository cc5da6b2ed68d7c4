// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/observe.

#include "engine/observe/observer_step.h"

namespace binade::observe {

/// Sees arguments before Autocast does: keeps them for the length of a call, and notes who takes a parameter first.
class Observer::Outer : public graph::SiteHook {
 public:
  explicit Outer(Step& step) : step_(step) {}
  void before(graph::Call& call) override;
  void failed(graph::Call& call, const std::exception& error) override;

 private:
  Step& step_;
};

}  // namespace binade::observe
