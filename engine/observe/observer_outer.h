// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/observe.

#include "engine/observe/observer_step.h"

namespace binade::observe {

/// Receives arguments before Autocast: keeps them during a call, and records the first site that uses a parameter.
class Observer::Outer : public graph::SiteHook {
 public:
  explicit Outer(Step& step) : step_(step) {}
  void before(graph::Call& call) override;
  void failed(graph::Call& call, const std::exception& error) override;

 private:
  Step& step_;
};

}  // namespace binade::observe
