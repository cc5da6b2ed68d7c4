// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/silent/evidence.h"

#include <ATen/core/Tensor.h>

#include <memory>

namespace binade::observe {
class SiteTimer;
}

namespace binade::train {

/// Looks, in steps that ask for it, at what becomes of arguments on their way into op calls: values that a cast makes
/// 0, whole numbers that it makes others, and how large the logits are that go into a softmax over more than two
/// dimensions (attention). Nest outer() outside of Autocast and inner() inside it. Arguments on a device are not waited
/// for before finish(). One thread.
class ArgumentWatch {
 public:
  ArgumentWatch();
  ~ArgumentWatch();
  ArgumentWatch(const ArgumentWatch&) = delete;
  ArgumentWatch& operator=(const ArgumentWatch&) = delete;

  /// A step begins. Where it is not looked at, the hooks do nothing, and may be left out.
  void begin(bool looks);
  graph::SiteHook* outer();
  graph::SiteHook* inner();
  /// What the step showed; of several calls of a site the worst. Waits for the device.
  void finish(silent::Evidence& evidence);

  /// Seconds spent looking in this step.
  double seconds() const;
  /// Who is told of looks at a site, so that they are nobody else's time; or null. Not owned.
  void set_timer(observe::SiteTimer* timer);

 private:
  struct Step;
  class Outer;
  class Inner;
  std::unique_ptr<Step> step_;
  std::unique_ptr<Outer> outer_;
  std::unique_ptr<Inner> inner_;
};

}  // namespace binade::train
